// HMMER3's profile files, text and binary, behind one reader, and files in which HMMER2's follow.
#include "gpuhmm/hmmer3_profile_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "formats/profile/hmmer3_binary.hpp"
#include "formats/profile/hmmer3_opening.hpp"
#include "formats/profile/hmmer3_parser.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm::hmmer3 {

namespace {

std::string path_of(const Input& input) { return input.name() == "standard input" ? "-" : input.name(); }

}  // namespace

Generation generation_of(Input& input) {
  const Start start = look_at_start(input);
  if (!start.generation) refuse_start(input, path_of(input), Program::Hmmsearch);
  return *start.generation;
}

struct ProfileReader::State {
  State(std::unique_ptr<Input> opened, std::string given, ReadingOptions options)
      : input(std::move(opened)),
        path(std::move(given)),
        name(path == "-" ? input->name() : path),
        database(std::move(options.database)) {
    const Start start = look_at_start(*input);
    const bool hmmer3 = start.generation == Generation::Hmmer3;
    const bool stops = start.generation == Generation::Hmmer2 && !start.binary && options.stop_at_hmmer2;
    if (!hmmer3 && !stops) refuse_start(*input, path, Program::Hmmsearch);
    if (start.binary) {
      binary = std::make_unique<Hmmer3BinaryParser>(*input);
    } else {
      text = std::make_unique<Hmmer3Parser>(*input, Hmmer3Rules::Hmmer3);
      if (options.stop_at_hmmer2) text->stop_at_hmmer2();
      if (options.keep_subnormals) text->keep_subnormals();
    }
  }

  std::optional<Profile> next();
  void check(const Profile& profile);

  std::unique_ptr<Input> input;
  std::string path, name;
  std::unique_ptr<Hmmer3Parser> text;
  std::unique_ptr<Hmmer3BinaryParser> binary;
  std::optional<std::string> database;
  std::optional<AlphabetKind> alphabet;
};

std::optional<Profile> ProfileReader::State::next() {
  std::optional<Profile> profile;
  try {
    profile = text ? text->next() : binary->next();
  } catch (const FileError& error) {
    throw ProfileFileError(error.what(), "bad file format in HMM file " + path);
  }
  if (profile) check(*profile);
  return profile;
}

void ProfileReader::State::check(const Profile& profile) {
  if (alphabet && *alphabet != profile.alphabet) {
    fail_for_alphabet(name, path, profile.name, profile.alphabet, *alphabet);
  }
  alphabet = profile.alphabet;
  if (profile.consensus.empty()) {
    throw ProfileFileError(
        name + ": profile '" + profile.name + "' has no consensus; expected CONS yes and its column",
        "HMM must have a consensus to transfer to the profile");
  }
}

namespace {

// Sets options.database.
std::unique_ptr<Input> open(const std::string& path, ReadingOptions& options) {
  if (!options.prefer_pressed || !has_pressed_profiles(path)) return open_profiles(path, Program::Hmmsearch);
  options.database = path;
  return open_pressed_profiles(path, Program::Hmmsearch);
}

}  // namespace

ProfileReader::ProfileReader(const std::string& path, ReadingOptions options) {
  std::unique_ptr<Input> input = open(path, options);
  state_ = std::make_unique<State>(std::move(input), path, std::move(options));
}
ProfileReader::ProfileReader(std::unique_ptr<Input> input, ReadingOptions options) {
  std::string path = path_of(*input);
  state_ = std::make_unique<State>(std::move(input), std::move(path), std::move(options));
}
ProfileReader::~ProfileReader() = default;
ProfileReader::ProfileReader(ProfileReader&&) noexcept = default;
ProfileReader& ProfileReader::operator=(ProfileReader&&) noexcept = default;

std::optional<Profile> ProfileReader::next() { return state_->next(); }
bool ProfileReader::hmmer2_follows() const { return state_->text && state_->text->hmmer2_follows(); }
std::unique_ptr<Input> ProfileReader::release() {
  if (state_->text) state_->text->lines().put_back();
  return std::move(state_->input);
}
const std::string& ProfileReader::name() const { return state_->name; }
const std::optional<std::string>& ProfileReader::pressed_database() const { return state_->database; }
bool ProfileReader::binary() const { return state_->binary != nullptr; }
bool ProfileReader::compressed() const { return state_->input->compressed(); }
std::optional<double> ProfileReader::fraction_read() const { return state_->input->fraction_read(); }
std::uint64_t ProfileReader::position() const {
  return state_->text ? state_->text->lines().consumed() : state_->binary->position();
}

struct AnyProfileReader::State {
  explicit State(ProfileReader reader) : name(reader.name()), hmmer3(std::move(reader)) {}
  explicit State(gpuhmm::ProfileReader reader) : name(reader.name()), hmmer2(std::move(reader)) {}

  std::string name;
  std::optional<ProfileReader> hmmer3;
  std::optional<gpuhmm::ProfileReader> hmmer2;  // one of both
};

AnyProfileReader::AnyProfileReader(const std::string& path, bool prefer_pressed) {
  const ReadingOptions options{.prefer_pressed = prefer_pressed, .stop_at_hmmer2 = true};
  if (prefer_pressed && has_pressed_profiles(path)) {
    state_ = std::make_unique<State>(ProfileReader(path, options));
    return;
  }
  std::unique_ptr<Input> input = open_profiles(path, Program::Hmmsearch);
  if (generation_of(*input) == Generation::Hmmer3) {
    state_ = std::make_unique<State>(ProfileReader(std::move(input), options));
  } else {
    state_ = std::make_unique<State>(gpuhmm::ProfileReader(std::move(input), true));
  }
}
AnyProfileReader::~AnyProfileReader() = default;
AnyProfileReader::AnyProfileReader(AnyProfileReader&&) noexcept = default;
AnyProfileReader& AnyProfileReader::operator=(AnyProfileReader&&) noexcept = default;

std::optional<AnyProfileReader::AnyProfile> AnyProfileReader::next() {
  for (;;) {
    if (state_->hmmer3) {
      if (std::optional<Profile> profile = state_->hmmer3->next()) return std::move(*profile);
      if (!state_->hmmer3->hmmer2_follows()) return std::nullopt;
      state_->hmmer2.emplace(state_->hmmer3->release(), true);
      state_->hmmer3.reset();
    } else {
      if (std::optional<gpuhmm::Profile> profile = state_->hmmer2->next()) return std::move(*profile);
      if (!state_->hmmer2->hmmer3_follows()) return std::nullopt;
      state_->hmmer3.emplace(state_->hmmer2->release(), ReadingOptions{.stop_at_hmmer2 = true});
      state_->hmmer2.reset();
    }
  }
}

Generation AnyProfileReader::generation() const {
  return state_->hmmer3 ? Generation::Hmmer3 : Generation::Hmmer2;
}
const std::string& AnyProfileReader::name() const { return state_->name; }

}  // namespace gpuhmm::hmmer3
