// Sequences as plain text for comparison, and functions that read whole files.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm::test {

struct Record {
  std::string name, accession, description;
  std::string residues;  ///< letters of the codes
  bool operator==(const Record&) const = default;
};
using Records = std::vector<Record>;

inline void PrintTo(const Record& record, std::ostream* out) {
  *out << "{" << record.name << " | " << record.accession << " | " << record.description << " | "
       << record.residues.substr(0, 200) << " (" << record.residues.size() << ")}";
}

inline Records to_records(const SequenceBatch& batch, const Alphabet& alphabet) {
  Records records;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const SequenceView view = batch[i];
    Record record{std::string(view.name), std::string(view.accession), std::string(view.description), {}};
    for (const std::uint8_t code : view.residues) record.residues += alphabet.letter(code);
    records.push_back(std::move(record));
  }
  return records;
}

inline Records read_all(SequenceReader& reader, const Alphabet& alphabet) {
  SequenceBatch batch;
  while (reader.read(batch)) {
  }
  return to_records(batch, alphabet);
}

inline Records read_file(const std::string& path, std::optional<SequenceFormat> format = {},
                         AlphabetKind kind = AlphabetKind::Amino) {
  const Alphabet& alphabet = Alphabet::get(kind);
  return read_all(*open_sequences(path, alphabet, format), alphabet);
}

/// A file in memory with a path; faster than thousands of small files on a disk.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(memfd_create("test", MFD_CLOEXEC)) {
    if (fd_ < 0) throw std::runtime_error("memfd_create");
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written <= 0) throw std::runtime_error("write to a memory file");
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

inline Records read_text(std::string_view text, std::optional<SequenceFormat> format = {},
                         AlphabetKind kind = AlphabetKind::Amino) {
  return read_file(MemoryFile(text).path(), format, kind);
}

/// The message of the FileError that reading the text throws, with "file" for its path; empty if it throws
/// none.
inline std::string failure(std::string_view text, std::optional<SequenceFormat> format = {}) {
  const MemoryFile file(text);
  try {
    read_file(file.path(), format);
  } catch (const FileError& error) {
    const std::string message = error.what();
    return message.starts_with(file.path()) ? "file" + message.substr(file.path().size())
                                            : "no path in: " + message;
  }
  return {};
}

}  // namespace gpuhmm::test
