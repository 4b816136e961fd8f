// Makes prepared databases for tests and reads them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "formats/io/temporary_folder.hpp"
#include "formats/sequence/records.hpp"
#include "gpuhmm/database.hpp"

namespace gpuhmm::test {

/// A prepared database that is removed at the end.
class Prepared {
 public:
  explicit Prepared(const std::string& input, std::optional<AlphabetKind> alphabet = {},
                    std::optional<SequenceFormat> format = {})
      : made(make_database(input, format, path(), alphabet)) {}

  std::string path() const { return folder_.file("prepared.ghdb"); }
  std::string bytes() const { return file_bytes(path()); }

 private:
  TemporaryFolder folder_;

 public:
  DatabaseSummary made;
};

/// All records, through the reader that a search uses.
inline Records prepared_records(const std::string& path, AlphabetKind kind) {
  const Alphabet& alphabet = Alphabet::get(kind);
  return read_all(*SequenceSource(path, {}, 2).open(alphabet), alphabet);
}

/// The message of the FileError that opening throws, after the path; empty if it throws none.
inline std::string opening_failure(const std::string& path) {
  try {
    const Database database(path);
  } catch (const FileError& error) {
    const std::string message = error.what();
    return message.starts_with(path + ": ") ? message.substr(path.size() + 2) : "no path in: " + message;
  }
  return {};
}

/// Small records of every kind: empty ones, one without a name, odd bytes, long texts, an accession.
inline std::string odd_fasta() {
  std::string text =
      ">first a description\nACDEFGHIKLMNPQRSTVWY\n>empty\n>\nMKV*UBZXJO\n>tail\t\x01\x7f\xff odd\tbytes "
      "\xc3\xa9\n";
  text +=
      "acdefg\n>" + std::string(5000, 'n') + " " + std::string(70000, 'd') + "\n" + std::string(3000, 'W');
  return text + "\n>same -\nACDEFG\n>same\nACDEFG\n>last-empty\n";
}

}  // namespace gpuhmm::test
