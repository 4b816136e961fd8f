// Cuts a text file into sections by generation, or passes only the profiles of one generation.
#include "gpuhmm/mixed_profiles.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuhmm {

namespace {

using hmmer3::Generation;

constexpr std::size_t kBlock = std::size_t{256} << 10;

Generation other_than(Generation generation) {
  return generation == Generation::Hmmer2 ? Generation::Hmmer3 : Generation::Hmmer2;
}

/// What the first line of a text profile begins with.
std::string_view start_of(Generation generation) {
  return generation == Generation::Hmmer2 ? "HMMER2.0" : "HMMER3/";
}

/// The place in `lines`, whole lines, of the first one that begins with `start`; their size if none does.
std::size_t find_line(std::string_view lines, std::string_view start) {
  if (lines.starts_with(start)) return 0;
  const std::size_t before = lines.find("\n" + std::string(start));
  return before == std::string_view::npos ? lines.size() : before + 1;
}

/// Replaces the lines of profiles of the other generation by empty ones.
class OneGeneration {
 public:
  OneGeneration(Generation wanted, OtherProfiles* others)
      : wanted_(wanted), others_(others != nullptr ? *others : own_) {}

  /// As Input::Filter.
  std::size_t read(Input& source, char* buffer, std::size_t size) {
    while (passed_.empty()) {
      if (lines_.empty() && !fill(source)) return 0;
      pass_section();
    }
    const std::size_t count = passed_.copy(buffer, size);
    passed_.remove_prefix(count);
    return count;
  }

 private:
  /// Reads further lines; false at the end.
  bool fill(Input& source) {
    if (ended_) return false;
    read_.consume(whole_);
    const std::size_t got = source.read(read_.room(kBlock), kBlock);
    read_.added(got);
    ended_ = got == 0;
    const std::string_view all = read_.view();
    whole_ = ended_ ? all.size() : all.rfind('\n') + 1;  // 0 if there is no whole line
    lines_ = all.substr(0, whole_);
    return true;
  }

  /// Takes profiles of one generation, perhaps none, from the lines.
  void pass_section() {
    const std::size_t end = find_line(lines_, start_of(other_than(current_)));
    const std::string_view section = lines_.substr(0, end);
    if (current_ == wanted_) {
      passed_ = section;
      if (others_.keep) add_empty_lines(others_.text, section);
    } else {
      empty_.clear();
      add_empty_lines(empty_, section);
      passed_ = empty_;
      others_.any = true;
      if (others_.keep) others_.text += section;
    }
    lines_.remove_prefix(end);
    if (!lines_.empty()) current_ = other_than(current_);
  }

  static void add_empty_lines(std::string& text, std::string_view lines) {
    text.append(static_cast<std::size_t>(std::ranges::count(lines, '\n')), '\n');
  }

  Generation wanted_;
  Generation current_ = wanted_;
  OtherProfiles own_;  // used if the caller has none
  OtherProfiles& others_;
  ByteQueue read_;           // bytes of the source
  std::size_t whole_ = 0;    // those of them in lines that were taken apart
  std::string_view lines_;   // those of these lines that were not passed
  std::string empty_;        // lines in place of others
  std::string_view passed_;  // what is to be handed on next, of read_ or empty_
  bool ended_ = false;
};

}  // namespace

ProfileSections::ProfileSections(std::unique_ptr<Input> input) {
  const Generation generation = hmmer3::generation_of(*input);
  open(std::move(input), generation);
}
ProfileSections::ProfileSections(ProfileReader reader) : hmmer2_(std::move(reader)) {}
ProfileSections::ProfileSections(hmmer3::ProfileReader reader) : hmmer3_(std::move(reader)) {}

void ProfileSections::open(std::unique_ptr<Input> input, Generation generation) {
  if (generation == Generation::Hmmer3) {
    hmmer3_.emplace(std::move(input), hmmer3::ReadingOptions{.stop_at_hmmer2 = true});
  } else {
    hmmer2_.emplace(std::move(input), OtherVersion::Stop);
  }
}

Generation ProfileSections::generation() const { return hmmer3_ ? Generation::Hmmer3 : Generation::Hmmer2; }

bool ProfileSections::another() const {
  return hmmer3_ ? hmmer3_->hmmer2_follows() : hmmer2_->other_follows();
}

void ProfileSections::advance() {
  const Generation next = other_than(generation());
  std::unique_ptr<Input> rest = hmmer3_ ? hmmer3_->release() : hmmer2_->release();
  hmmer3_.reset();
  hmmer2_.reset();
  open(std::move(rest), next);
}

std::unique_ptr<Input> only_profiles(std::unique_ptr<Input> input, Generation wanted, OtherProfiles* others) {
  const bool text = input->peek(1).find_first_of("H \t\r\n#") == 0;
  if (!text) return input;
  const bool others_first = hmmer3::generation_of(*input) != wanted;
  if (others != nullptr && others_first) others->any = true;
  const std::string_view start = start_of(wanted);
  const bool at_start = input->peek(start.size()) == start;
  // HMMER2's readers expect no empty lines at the start.
  if (!at_start && (others_first || wanted == Generation::Hmmer2)) {
    LineReader lines(*input);
    std::string_view line;
    while (lines.next(line) && !line.starts_with(start)) {
    }
    lines.put_back_line();
  }
  return std::make_unique<Input>(std::move(input), [filter = std::make_shared<OneGeneration>(wanted, others)](
                                                       Input& source, char* buffer, std::size_t size) {
    return filter->read(source, buffer, size);
  });
}

bool holds_both_generations(std::unique_ptr<Input> input) {
  const Generation first = hmmer3::generation_of(*input);
  OtherProfiles others;
  input = only_profiles(std::move(input), first, &others);
  std::vector<char> buffer(kBlock);
  while (!others.any && input->read(buffer.data(), buffer.size()) > 0) {
  }
  return others.any;
}

}  // namespace gpuhmm
