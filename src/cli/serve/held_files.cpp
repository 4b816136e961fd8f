// Tells the kinds of files apart, and reads each.
#include "cli/serve/held_files.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "cli/arguments.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/hmmer3_press.hpp"
#include "gpuhmm/mixed_profiles.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool is_profile_file(const std::string& path) {
  try {
    Input input(path);
    static_cast<void>(hmmer3::generation_of(input));
    return true;
  } catch (const hmmer3::ProfileFileError&) {
    return false;
  }
}

// A prepared database of the sequences of the file, in a file without a name.
std::shared_ptr<const Database> database_of(const std::string& path, unsigned threads) {
  const std::string temporary = std::filesystem::temp_directory_path() / temporary_name();
  const UnfinishedFile unfinished(temporary);
  make_database(path, std::nullopt, temporary, std::nullopt);
  auto database = std::make_shared<const Database>(temporary, threads);
  std::filesystem::remove(temporary);
  return database;
}

// The profiles if all are HMMER2's, in text or binary.
std::shared_ptr<const std::vector<Profile>> hmmer2_profiles(const std::string& path, const std::string& text,
                                                            unsigned threads) {
  const auto open = [&] { return std::make_unique<Input>(path, text, 0); };
  const auto first = open();
  if (hmmer3::generation_of(*first) != hmmer3::Generation::Hmmer2 || holds_both_generations(open())) {
    return nullptr;
  }
  ProfileBlocks blocks(open(), threads);
  return std::make_shared<const std::vector<Profile>>(blocks.next(std::numeric_limits<double>::infinity()));
}

OpenedFile opened(const std::string& given, const EnginePool& engines, unsigned threads) {
  const std::string path = full_path(given);
  if (path.empty()) static_cast<void>(std::make_unique<Input>(given));  // throws the error
  OpenedFile file{given, HeldKind::Profiles, {path, std::nullopt}, nullptr, nullptr};
  if (exists(hmmer3::PressedFiles(path).profiles)) {
    const hmmer3::ProfileReader whole(path);
    file.kind = HeldKind::PressedLibrary;
    return file;
  }
  file.file.state = state_of(path);
  const auto input = std::make_shared<HeldInput>();
  const auto read = [&] {
    return std::make_shared<const std::string>(read_whole(path, std::numeric_limits<std::size_t>::max()));
  };
  if (is_database(path)) {
    file.kind = HeldKind::Database;
    input->sequences.database = std::make_shared<const Database>(path, threads);
  } else if (is_profile_file(path)) {
    input->sequences.bytes = read();
    input->profiles = hmmer2_profiles(path, *input->sequences.bytes, threads);
  } else {
    file.kind = HeldKind::Sequences;
    input->sequences = {read(), database_of(path, threads)};
  }
  if (const auto& database = input->sequences.database) {
    const AlphabetKind alphabet = database->alphabet();
    file.resident = ResidentSequences::read(
        std::make_unique<DatabaseReader>(database, Alphabet::get(alphabet), path), alphabet, engines);
    input->resident = file.resident.get();
  }
  file.input = input;
  return file;
}

}  // namespace

const char* name_of(HeldKind kind) {
  switch (kind) {
    case HeldKind::Profiles:
      return "profiles";
    case HeldKind::PressedLibrary:
      return "pressed library";
    case HeldKind::Sequences:
      return "sequences";
    case HeldKind::Database:
      break;
  }
  return "database";
}

HeldFiles::HeldFiles(const std::vector<std::string>& paths, const EnginePool& engines, unsigned threads) {
  for (const std::string& path : paths) {
    OpenedFile file = opened(path, engines, threads);
    if (find(file.file.path) != nullptr) throw UsageError(path + ": named twice");
    files_.push_back(std::move(file));
  }
}

const OpenedFile* HeldFiles::find(const std::string& name) const {
  const OpenedFile* found = nullptr;
  for (const OpenedFile& file : files_) {
    if (file.file.path == name) return &file;
    if (std::filesystem::path(file.file.path).filename() != name) continue;
    if (found != nullptr) return nullptr;
    found = &file;
  }
  return found;
}

}  // namespace gpuhmm::cli
