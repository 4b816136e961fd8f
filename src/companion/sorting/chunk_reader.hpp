// Large pieces of an input that hold whole records.
#pragma once

#include <cstddef>
#include <string_view>

#include "gpuhmm/input.hpp"
#include "gpuhmm/progress.hpp"

namespace gpuhmm {

/// Cuts an input where records begin.
class ChunkReader {
 public:
  /// The longest line or record in bytes, unless said otherwise (docs/limits.md).
  static constexpr std::size_t kLongest = std::size_t{1} << 30;

  /// `record_start`: what a record begins with after a newline; empty for lines. `meter`, if there is one,
  /// counts what is read.
  ChunkReader(Input& input, std::string_view record_start, std::size_t longest = kLongest,
              WorkMeter* meter = nullptr)
      : input_(input), record_start_(record_start), longest_(longest), meter_(meter) {}

  /// The next whole records, together at most `size` bytes if more than one; empty at the end. It ends with a
  /// newline, which is added to an input without one. Valid until the next call. Throws FileError for a
  /// record longer than the longest.
  std::string_view next(std::size_t size);
  /// Nothing comes after the chunk returned last.
  bool ended() const { return input_ended_ && buffer_.size() == taken_; }

 private:
  void fill(std::size_t size);
  std::size_t whole_records(std::size_t size) const;

  Input& input_;
  std::string_view record_start_;
  std::size_t longest_;
  WorkMeter* meter_;
  ByteQueue buffer_;
  std::size_t taken_ = 0;  // of the buffer: the chunk returned last
  bool input_ended_ = false;
};

}  // namespace gpuhmm
