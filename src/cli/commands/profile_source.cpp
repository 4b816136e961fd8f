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

ProfileSource::ProfileSource(const Arguments& arguments)
    : path_(locate_file(arguments.positional[0], "HMMERDB")),
      reopenable_(is_reopenable(path_)),
      other_(arguments.drop_in ? OtherVersion::Refuse : OtherVersion::Read) {
  if (arguments.positional[0] == "-" && arguments.positional[1] == "-") {
    throw UsageError("only one of PROFILES and SEQUENCES can be standard input");
  }
  if (arguments.drop_in) return;
  if (const std::optional<std::string> as = arguments.text("as")) {
    first_ = *as == "3" ? Generation::Hmmer3 : Generation::Hmmer2;
    return;
  }
  const bool pressed = path_ != "-" && exists(hmmer3::PressedFiles(path_).profiles);
  if (pressed && !exists(path_)) {
    first_ = Generation::Hmmer3;
    reopenable_ = true;
    return;
  }
  auto input = std::make_unique<Input>(path_);
  first_ = hmmer3::generation_of(*input);
  single_ = pressed && first_ == Generation::Hmmer3;
  others_.keep = !reopenable_;
  if (!reopenable_) input_ = std::move(input);
}

bool ProfileSource::may_hold_both() const {
  return !single_ && (!reopenable_ || holds_both_generations(std::make_unique<Input>(path_)));
}

std::unique_ptr<Input> ProfileSource::open() {
  return input_ ? std::move(input_) : std::make_unique<Input>(path_);
}

std::unique_ptr<Input> ProfileSource::open_only(Generation wanted) {
  if (wanted == first_) return only_profiles(open(), wanted, &others_);
  const std::string name = path_ == "-" ? "standard input" : path_;
  return only_profiles(reopenable_ ? open() : std::make_unique<Input>(name, others_.text, 0), wanted);
}

hmmer3::ProfileReader ProfileSource::open_single_hmmer3() {
  return reopenable_ ? hmmer3::ProfileReader(path_) : hmmer3::ProfileReader(open());
}

ProfileParts ProfileSource::parts() {
  if (!single_) return ProfileParts(open());
  return first_ == Generation::Hmmer3 ? ProfileParts(open_single_hmmer3())
                                      : ProfileParts(ProfileReader(open(), other_));
}

ProfileBlocks ProfileSource::open_hmmer2(unsigned threads) {
  return single_ ? ProfileBlocks(open(), threads, other_)
                 : ProfileBlocks(open_only(Generation::Hmmer2), threads, OtherVersion::Read);
}

hmmer3::ProfileReader ProfileSource::open_hmmer3() {
  return single_ ? open_single_hmmer3() : hmmer3::ProfileReader(open_only(Generation::Hmmer3));
}

}  // namespace gpuhmm::cli
