// Input: finds files along a path of directories, and reads their bytes and lines, plain or gzip.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gpuhmm/error.hpp"

namespace gpuhmm {

/// Finds a file as HMMER 2.3.2 does: tries `path` itself, then `path` in each directory of the
/// colon-separated environment variable `variable` (HMMERDB for profiles, BLASTDB for hmmsearch's sequences).
/// Returns the first that exists, or `path` if none does; "-" stays "-".
std::string locate_file(const std::string& path, const char* variable);

/// Bytes that are added at the end and consumed at the front. New memory is not cleared, so that a large
/// buffer costs a small file nothing. It grows by at least half, so that adding takes linear time.
class ByteQueue {
 public:
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  /// The bytes held; valid until the next call of room or another change.
  std::string_view view() const { return {bytes_.get() + begin_, size()}; }

  /// Makes space for `size` bytes after those held and returns it. Bytes written there are held after a call
  /// of added().
  char* room(std::size_t size) {
    if (begin_ > 0 && (empty() || capacity_ - end_ < size)) {
      if (!empty()) std::memmove(bytes_.get(), bytes_.get() + begin_, this->size());
      end_ = this->size();
      begin_ = 0;
    }
    if (capacity_ - end_ < size) grow(std::max(end_ + size, capacity_ + capacity_ / 2));
    return bytes_.get() + end_;
  }
  void added(std::size_t size) { end_ += size; }
  /// Consumes `size` bytes, at most as many as are held.
  void consume(std::size_t size) { begin_ += size; }

 private:
  void grow(std::size_t capacity);

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0, end_ = 0;  // what is held
};

class Input;

/// Two inputs with the same bytes, from one pass over the file: what only one of them has read waits in
/// memory for the other, unless that is destroyed. They are not safe to use by two threads. Throws as Input
/// does.
std::pair<std::unique_ptr<Input>, std::unique_ptr<Input>> open_twice(const std::string& path);

/// A stream of decompressed bytes. Detects compression by content, not by name. Not copyable.
class Input {
 public:
  /// Opens `path`; "-" is standard input. The stream begins `offset` bytes into the file. Throws FileError
  /// (missing, a directory, not readable, an offset into something that is not a regular file).
  explicit Input(const std::string& path, std::uint64_t offset = 0);
  /// Reads `part`, a decompressed part of the file `name` in memory that must outlive this; `lines_before`
  /// lines of the file precede it.
  Input(std::string name, std::string_view part, std::uint64_t lines_before);
  /// Makes bytes for an Input from those of `source`; fills `buffer` as read() does.
  using Filter = std::function<std::size_t(Input& source, char* buffer, std::size_t size)>;
  /// Reads what `filter` makes of `source`. Its name, the fraction read and the number of lines before are
  /// those of `source`.
  Input(std::unique_ptr<Input> source, Filter filter);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  /// The path as given, for messages; "standard input" for "-".
  const std::string& name() const;
  /// Whether the bytes come from gzip data.
  bool compressed() const;
  /// Reads up to `size` bytes into `buffer`; returns 0 only at the end. Throws FileError (read error, corrupt
  /// or truncated gzip).
  std::size_t read(char* buffer, std::size_t size);
  /// The next bytes without consuming them: `size` of them, or fewer at the end.
  std::string_view peek(std::size_t size);
  /// Gives bytes back that were read last: they are read again. `lines_before` lines precede them.
  void put_back(std::string_view bytes, std::uint64_t lines_before);
  /// The fraction of the file's bytes that has been read, 0 to 1; nothing for standard input and pipes.
  std::optional<double> fraction_read() const;
  /// Unread bytes of an uncompressed regular file; nothing for other input.
  std::optional<std::uint64_t> bytes_left() const;
  /// Size of a regular file in bytes, before decompression; 0 for other input.
  std::uint64_t file_size() const;
  /// True for an uncompressed regular file: its bytes can be read again from any offset.
  bool seekable() const;
  /// Lines of the file before the first one of this input.
  std::uint64_t lines_before() const;

 private:
  friend std::pair<std::unique_ptr<Input>, std::unique_ptr<Input>> open_twice(const std::string& path);
  struct State;
  struct Shared;
  Input(std::shared_ptr<Shared> shared, std::size_t side);

  std::unique_ptr<State> state_;
};

/// All decompressed bytes of a file. Throws FileError, also for more than `most` bytes.
std::string read_whole(const std::string& path, std::size_t most = std::size_t{4} << 30);

/// Lines of an Input.
class LineReader {
 public:
  /// The longest line in bytes, unless said otherwise (docs/limits.md).
  static constexpr std::size_t kLongest = std::size_t{1} << 30;

  explicit LineReader(Input& input, std::size_t longest = kLongest)
      : input_(input), longest_(longest), number_(input.lines_before()) {}
  /// Reads the next line without its newline (a CR before it stays); returns false at the end. A last line
  /// needs no newline. The view is valid until the next call. Throws FileError for a line longer than the
  /// limit.
  bool next(std::string_view& line);
  /// As next, but returns lines of any length in pieces of at most `most` bytes.
  bool next_piece(std::string_view& piece, std::size_t most);
  /// Gives the last line, and all that was read after it, back to the input, from which another reader can
  /// continue. This one is at its end.
  void put_back_line();
  /// Whether the last piece begins, or ends, its line.
  bool at_line_start() const { return line_start_; }
  bool at_line_end() const { return line_ended_; }
  /// Number of the last line in its file, from 1.
  std::uint64_t number() const { return number_; }
  /// Bytes of the input up to the end of the last line, its newline included.
  std::uint64_t consumed() const { return before_ + taken_; }
  const std::string& name() const { return input_.name(); }

 private:
  bool fill();
  void leave_last();
  [[noreturn]] void fail_too_long() const;

  Input& input_;
  std::size_t longest_;
  bool line_start_ = true, line_ended_ = true;  // of the last piece
  ByteQueue buffer_;
  std::size_t taken_ = 0;     // bytes of the buffer that the last line or piece and its newline take
  std::uint64_t before_ = 0;  // bytes that have left the buffer
  std::uint64_t number_;
};

}  // namespace gpuhmm
