// Output files that appear whole or not at all, and standard output and other special files.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "formats/io/error.hpp"
#include "formats/io/unfinished_file.hpp"

namespace gpuhmm {

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
