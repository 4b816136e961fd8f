// The table of files that are to be removed if a signal ends the program.
#pragma once

#include <string>

namespace gpuhmm {

/// A name in the table: whatever file has it is removed if the program ends by a signal, as long as this
/// lives.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  /// Enters `path`, before the file is made. Throws FileError if the table is full or the path too long.
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile() { forget(); }
  UnfinishedFile(UnfinishedFile&& other) noexcept;
  UnfinishedFile& operator=(UnfinishedFile&& other) noexcept;

  /// True until forget() is called.
  explicit operator bool() const { return slot_ >= 0; }
  /// Takes the name out: the file is finished, or gone.
  void forget() noexcept;

 private:
  int slot_ = -1;
};

/// A name that no file has, for a temporary file in any folder.
std::string temporary_name();

/// Removes all files in the table. For handlers of signals that end the program: it is async-signal-safe.
void remove_unfinished_files() noexcept;

}  // namespace gpuhmm
