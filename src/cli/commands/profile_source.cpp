// Opens the profiles of a command line, all or those of one generation.
#include "cli/commands/profile_source.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/commands/run_request.hpp"
#include "gpuhmm/hmmer3_press.hpp"

namespace gpuhmm::cli {

namespace {

using hmmer3::Generation;

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace

ProfileSource::ProfileSource(const Arguments& arguments, const RunInput& file)
    : path_(file.path),
      held_(file.held),
      reopenable_(held_ != nullptr || is_reopenable(path_)),
      other_(arguments.drop_in ? OtherVersion::Refuse : OtherVersion::Read) {
  if (arguments.positional[0] == "-" && arguments.positional[1] == "-") {
    throw UsageError("only one of PROFILES and SEQUENCES can be standard input");
  }
  if (held_ && !held_->failure.empty()) throw FileError(held_->failure);
  if (arguments.drop_in) return;
  if (const std::optional<std::string> as = arguments.text("as")) {
    first_ = *as == "3" ? Generation::Hmmer3 : Generation::Hmmer2;
    return;
  }
  const bool pressed = path_ != "-" && !held_ && exists(hmmer3::PressedFiles(path_).profiles);
  if (pressed && !exists(path_)) {
    first_ = Generation::Hmmer3;
    reopenable_ = true;
    return;
  }
  auto input = open();
  first_ = hmmer3::generation_of(*input);
  single_ = pressed && first_ == Generation::Hmmer3;
  others_.keep = !reopenable_;
  input_ = std::move(input);
}

bool ProfileSource::may_hold_both() const {
  return !single_ && (!reopenable_ || holds_both_generations(open()));
}

std::unique_ptr<Input> ProfileSource::open() const {
  if (!held_) return std::make_unique<Input>(path_);
  return std::make_unique<Input>(path_ == "-" ? "standard input" : path_, *held_->sequences.bytes, 0);
}

std::unique_ptr<Input> ProfileSource::open_first() { return input_ ? std::move(input_) : open(); }

std::unique_ptr<Input> ProfileSource::open_only(Generation wanted) {
  if (wanted == first_) return only_profiles(open_first(), wanted, &others_);
  const std::string name = path_ == "-" ? "standard input" : path_;
  return only_profiles(reopenable_ ? open() : std::make_unique<Input>(name, others_.text, 0), wanted);
}

hmmer3::ProfileReader ProfileSource::open_single_hmmer3() {
  return reopenable_ && !held_ ? hmmer3::ProfileReader(path_) : hmmer3::ProfileReader(open_first());
}

ProfileSections ProfileSource::sections() {
  if (!single_) return ProfileSections(open_first());
  return first_ == Generation::Hmmer3 ? ProfileSections(open_single_hmmer3())
                                      : ProfileSections(ProfileReader(open_first(), other_));
}

ProfileBlocks ProfileSource::open_hmmer2(unsigned threads) {
  if (held_ && held_->profiles && first_ == Generation::Hmmer2) return ProfileBlocks(held_->profiles);
  return single_ ? ProfileBlocks(open_first(), threads, other_)
                 : ProfileBlocks(open_only(Generation::Hmmer2), threads, OtherVersion::Read);
}

hmmer3::ProfileReader ProfileSource::open_hmmer3() {
  return single_ ? open_single_hmmer3() : hmmer3::ProfileReader(open_only(Generation::Hmmer3));
}

}  // namespace gpuhmm::cli
