// The four files of a pressed database, written together, and opened for a scan.
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "formats/profile/hmmer3_binary.hpp"
#include "formats/profile/hmmer3_index.hpp"
#include "formats/profile/hmmer3_opening.hpp"
#include "gpuhmm/hmmer3_press.hpp"
#include "gpuhmm/output.hpp"
#include "hmmer3/pressing/pressed_library.hpp"
#include "hmmer3/pressing/score_files.hpp"

namespace gpuhmm::hmmer3 {

namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// hmmpress writes a semicolon behind some of its complaints.
void check_absent(const PressedFiles& files) {
  struct File {
    const std::string& path;
    const char *kind, *end;
  };
  for (const File& file :
       {File{files.index, "SSI index file ", ";"}, File{files.profiles, "Binary HMM file ", ";"},
        File{files.filters, "Binary MSV filter file ", ""}, File{files.scores, "Binary profile file ", ""}}) {
    if (!exists(file.path)) continue;
    throw PressError(
        file.path + ": exists already; expected no pressed database, or the order to replace it",
        file.kind + file.path + " already exists" + file.end + "\nDelete old hmmpress indices first", false);
  }
}

/// An output file and the bytes written to it.
class Part {
 public:
  explicit Part(const std::string& path) : file_(path) {}
  void add(const std::string& bytes) {
    file_.write(bytes);
    size_ += bytes.size();
  }
  std::uint64_t size() const { return size_; }
  OutputFile& file() { return file_; }

 private:
  OutputFile file_;
  std::uint64_t size_ = 0;
};

void check_keys(const std::string& path, const std::vector<IndexedProfile>& profiles) {
  const std::optional<RepeatedKey> repeated = repeated_key(profiles);
  if (!repeated) return;
  const std::string kind = repeated->accession ? "accession" : "name";
  constexpr std::size_t kMost = 127;  // characters that hmmpress has room for
  const std::string text = std::string("SSI index construction failed:\n  ") +
                           (repeated->accession ? "secondary" : "primary") + " keys not unique: '" +
                           repeated->key + "' occurs more than once";
  throw PressError(path + ": more than one profile has the " + kind + " '" + repeated->key +
                       "'; expected each " + kind + " once",
                   text.substr(0, kMost), true);
}

}  // namespace

PressReport press(const std::string& path, bool force, bool drop_unfinished) {
  if (path == "-") {
    throw ProfileFileError("standard input: cannot be pressed; expected the name of a file",
                           "Can't use - for <hmmfile> argument: can't index standard input\n");
  }
  ReadingOptions options;
  options.prefer_pressed = false;
  options.keep_subnormals = true;
  options.drop_unfinished = drop_unfinished;
  ProfileReader reader(path, options);
  if (path.ends_with(".gz") || reader.compressed()) {
    throw ProfileFileError(path + ": is compressed; expected a file that is not",
                           "HMM file " + path + " must be a normal file, not gzipped or a stdin pipe");
  }
  const PressedFiles files(path);
  if (!force) check_absent(files);
  Part profiles(files.profiles), index(files.index), filters(files.filters), scores(files.scores);
  std::vector<IndexedProfile> entries;
  PressReport report;
  const auto next = [&reader] {
    try {
      return reader.next();
    } catch (const ProfileFileError& error) {
      throw PressError(error.what(), error.hmmer3_text(), true, error.aborts());
    }
  };
  while (const std::optional<Profile> profile = next()) {
    const RecordOffsets offsets{profiles.size(), filters.size(), scores.size()};
    const LogOdds log_odds(*profile);
    profiles.add(hmmer3_binary(*profile));
    filters.add(filter_record(*profile, log_odds, offsets));
    scores.add(score_record(*profile, log_odds));
    entries.push_back({profile->name, profile->accession.value_or(""), offsets.profiles});
    ++report.profiles;
    report.accessions += profile->accession ? 1 : 0;
  }
  report.names = report.profiles;
  check_keys(path, entries);
  index.add(hmmer3_index(path, entries));
  for (Part* part : {&profiles, &index, &filters, &scores}) part->file().finish();
  for (Part* part : {&profiles, &index, &filters, &scores}) part->file().commit();
  return report;
}

ProfileReader open_pressed(const std::string& path) {
  std::string found = path;
  if (path != "-" && !exists(path) && !exists(path + ".h3m")) {
    const std::string suffix = ".h3m";
    const std::string pressed = locate_file(path + suffix, "PFAMDB");
    found = exists(pressed) ? pressed.substr(0, pressed.size() - suffix.size()) : locate_file(path, "PFAMDB");
  }
  if (has_pressed_profiles(found)) {
    ProfileReader reader(open_pressed_profiles(found, Program::Hmmscan), {.database = found});
    if (auto library = PressedLibrary::of(reader)) library->next(1, 1);
    return reader;
  }
  std::unique_ptr<Input> text = open_profiles(found, Program::Hmmscan);
  if (!look_at_start(*text).generation) refuse_start(*text, found, Program::Hmmscan);
  throw ProfileFileError(found + ": was not pressed; expected " + found + ".h3m, .h3i, .h3f and .h3p",
                         "Failed to open binary auxfiles for " + found + ": use hmmpress first\n");
}

}  // namespace gpuhmm::hmmer3
