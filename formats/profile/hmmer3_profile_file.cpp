// HMMER3's profile files, text and binary, behind one reader.
#include "gpuhmm/hmmer3_profile_file.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <filesystem>
#include <future>
#include <utility>

#include "formats/profile/hmmer3_binary.hpp"
#include "formats/profile/hmmer3_opening.hpp"
#include "formats/profile/hmmer3_parser.hpp"

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
      if (options.drop_unfinished) text->drop_unfinished();
    }
  }

  ~State() { unwanted = true; }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::optional<Profile> next();
  std::optional<Profile> parsed();
  void check(const Profile& profile);
  void read_until(double nodes);

  std::unique_ptr<Input> input;
  std::string path, name;
  std::unique_ptr<Hmmer3Parser> text;
  std::unique_ptr<Hmmer3BinaryParser> binary;
  std::optional<std::string> database;
  std::optional<AlphabetKind> alphabet;
  std::deque<Profile> ahead;           // profiles that the thread has read
  bool ended = false;                  // the input ends behind them
  std::exception_ptr failure;          // the error behind them
  std::atomic<bool> unwanted = false;  // nobody needs more
  std::future<void> reading = {};      // the thread, which alone uses all this until it ends
};

std::optional<Profile> ProfileReader::State::next() {
  if (reading.valid()) reading.get();
  if (!ahead.empty()) {
    Profile profile = std::move(ahead.front());
    ahead.pop_front();
    return profile;
  }
  if (failure) std::rethrow_exception(failure);
  return ended ? std::nullopt : parsed();
}

void ProfileReader::State::read_until(double nodes) {
  try {
    for (double read = 0; read < nodes && !unwanted;) {
      std::optional<Profile> profile = parsed();
      ended = !profile;
      if (ended) return;
      read += profile->nodes;
      ahead.push_back(std::move(*profile));
    }
  } catch (...) {
    failure = std::current_exception();
  }
}

std::optional<Profile> ProfileReader::State::parsed() {
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
        "HMM must have a consensus to transfer to the profile", true);
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
void ProfileReader::read_ahead(double nodes) {
  state_->reading =
      std::async(std::launch::async, [state = state_.get(), nodes] { state->read_until(nodes); });
}
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

}  // namespace gpuhmm::hmmer3
