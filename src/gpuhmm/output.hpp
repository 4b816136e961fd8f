// Output: the sink of all writers, files that appear complete or not at all, and protection against closed
// standard streams.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "gpuhmm/error.hpp"

namespace gpuhmm {

/// Takes the pieces of a report in order. An exception it throws (a full disk) passes through the writers.
using TextSink = std::function<void(std::string_view)>;

/// Opens /dev/null on each closed descriptor from 0 to 2, so that no file opened later gets its number and,
/// with it, text for standard output or error. Reading it gives the end of the input at once. Call this
/// before opening anything else.
void open_closed_standard_streams() noexcept;

/// True if this descriptor was closed when the program started: text written to it is lost.
bool was_closed_at_start(int descriptor) noexcept;

/// An entry in the table of unfinished files. While this lives, a signal that ends the program removes the
/// file.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  /// Enters `path`; to be called before the file is made. Throws FileError if the table is full or the path
  /// too long.
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile() { forget(); }
  UnfinishedFile(UnfinishedFile&& other) noexcept;
  UnfinishedFile& operator=(UnfinishedFile&& other) noexcept;

  /// True until forget() is called.
  explicit operator bool() const { return slot_ >= 0; }
  /// Removes the entry: the file is finished or deleted.
  void forget() noexcept;

 private:
  int slot_ = -1;
};

/// A unique name for a temporary file in any folder.
std::string temporary_name();

/// Removes all files in the table. For handlers of signals that end the program: it is async-signal-safe.
void remove_unfinished_files() noexcept;

/// The reader of a pipe has closed it. This is not an error of the output; programs end silently. It is only
/// seen where SIGPIPE is ignored.
class ClosedPipe : public FileError {
 public:
  using FileError::FileError;
};

class Spool;

/// What happens to an existing file that another one cannot replace, because of its folder or as it is
/// mounted by itself: it is overwritten on commit, which is no single step, or, for a file that is also read,
/// refused.
enum class Unreplaceable { Overwritten, Refused };

/// A file being written. A regular file is written to a temporary file in the same folder that replaces it on
/// commit; an existing file keeps its permission bits, and a symbolic link keeps pointing to the file, which
/// is made if it does not exist. Other existing paths (a device, a pipe) and "-", /dev/stdout,
/// /dev/stderr and /dev/fd/N are written directly; a descriptor that was closed when the program started
/// cannot be opened. Errors are FileError, or ClosedPipe.
class OutputFile {
 public:
  /// Opens `path`; "-" is standard output. Throws FileError (no such folder, a directory, not writable).
  explicit OutputFile(const std::string& path, Unreplaceable unreplaceable = Unreplaceable::Overwritten);
  /// A file in memory: what is written is appended to `memory`, which must outlive this, in the same pieces
  /// in which "-" writes it, so that without commit its last bytes are missing, too. `name` is for messages.
  OutputFile(std::string name, std::string& memory);
  /// Without commit: removes the temporary file, or drops the bytes that are still buffered.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// The path as given, for messages; "standard output" for "-".
  const std::string& name() const { return name_; }
  /// Adds bytes; they are buffered.
  void write(std::string_view bytes);
  /// Writes the buffered bytes to the system.
  void flush();
  /// Writes the buffered bytes and closes the file, so that all errors of a full disk occur now; the file is
  /// not in its place yet. For programs that write several files: finish all, then commit all. Nothing may be
  /// written after it.
  void finish();
  /// Calls finish() if necessary and moves the file to its place.
  void commit();

 private:
  void open_temporary();
  void overwrite();  // an existing file by the spool
  void write_now(std::string_view bytes);
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string name_;
  std::string target_;             // where commit puts the file; empty for special files
  std::string temporary_;          // the file written until then
  std::string* memory_ = nullptr;  // in place of a file
  UnfinishedFile unfinished_;
  std::unique_ptr<Spool> spool_;  // in place of the temporary file, if that could not take its place
  int fd_ = -1;
  std::string buffer_;
};

/// The file that an OutputFile with this path puts in place, symbolic links followed; it need not exist yet.
/// Sets `error` if its folder does not exist.
std::string written_file(const std::string& path, std::error_code& error);

}  // namespace gpuhmm
