// Output: where writers put their text, files that appear whole or not at all, and standard streams that are
// closed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <system_error>

#include "gpuhmm/error.hpp"

namespace gpuhmm {

/// Takes the pieces of a report in order. An exception it throws (a full disk) passes through the writers.
using TextSink = std::function<void(std::string_view)>;

/// Opens each of the descriptors 0 to 2 that is closed on /dev/null, so that no file opened later gets its
/// number and what is meant for standard output or error. Reading gives the end of the input at once. To be
/// called before anything else is opened.
void open_closed_standard_streams() noexcept;

/// True if this descriptor was closed when the program started: what is written to it is lost.
bool was_closed_at_start(int descriptor) noexcept;

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

/// The reader of a pipe is gone: not a fault of the output, programs end quietly. It is only seen where
/// SIGPIPE is ignored.
class ClosedPipe : public FileError {
 public:
  using FileError::FileError;
};

/// A file being written. The bytes of a regular file go to a temporary one in the same folder that takes the
/// file's place on commit; an existing file keeps its permission bits, a symbolic link keeps leading to the
/// file, which is made if there was none. Anything else that exists under the name (a device, a pipe) and
/// "-", /dev/stdout, /dev/stderr and /dev/fd/N are written directly; one that was closed when the program
/// started cannot be opened. Errors are FileError, or ClosedPipe.
class OutputFile {
 public:
  /// Opens `path`; "-" is standard output. Throws FileError (no such folder, a directory, not writable).
  explicit OutputFile(const std::string& path);
  /// Without commit: removes the temporary file, and drops what is not yet written of a special file.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// The path as given, for messages; "standard output" for "-".
  const std::string& name() const { return name_; }
  /// Adds bytes; they are buffered.
  void write(std::string_view bytes);
  /// Hands the buffered bytes to the system.
  void flush();
  /// Writes what is buffered and closes, so that all that a full disk can spoil is done; the file is not in
  /// its place yet. For programs that write several files: finish all, then commit all. Nothing may be
  /// written after it.
  void finish();
  /// finish(), if that was not done, and puts the file in its place.
  void commit();

 private:
  void open_temporary();
  void write_now(std::string_view bytes);
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string name_;
  std::string target_;     // where commit puts the file; empty for special files
  std::string temporary_;  // what is written until then
  UnfinishedFile unfinished_;
  int fd_ = -1;
  std::string buffer_;
};

/// The file that an OutputFile with this path puts in place, symbolic links followed; it need not be there
/// yet. The error is set if its folder is not.
std::string written_file(const std::string& path, std::error_code& error);

}  // namespace gpuhmm
