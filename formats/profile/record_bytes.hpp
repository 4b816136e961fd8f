// Bytes of binary profile files, for HMMER2's and HMMER3's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gpuhmm/error.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm {

/// Bytes of the file with their position. Errors name the file, the profile and the byte.
class RecordBytes {
 public:
  explicit RecordBytes(Input& input) : input_(input), buffer_(std::size_t{64} << 10) {}

  /// Starts a profile; false at the end of the file.
  bool next_profile() {
    ++profile_;
    return at_ < end_ || fill();
  }

  /// Up to `size` bytes; fewer only at the end of the file. Their number.
  std::size_t read_some(char* to, std::size_t size) {
    std::size_t done = 0;
    while (done < size && (at_ < end_ || fill())) {
      const std::size_t n = std::min(size - done, end_ - at_);
      std::memcpy(to + done, &buffer_[at_], n);
      at_ += n;
      done += n;
    }
    return done;
  }

  /// All of them. Throws FileError if the file ends before.
  void read(char* to, std::size_t size) {
    if (read_some(to, size) < size) fail("the file ends in the middle of a profile");
  }

  /// Bytes of the file read so far.
  std::uint64_t consumed() const { return before_ + at_; }

  [[noreturn]] void fail(const std::string& complaint) const {
    throw FileError(input_.name() + ", profile " + std::to_string(profile_) + ", near byte " +
                    std::to_string(before_ + at_) + ": " + complaint);
  }

 private:
  bool fill() {
    before_ += end_;
    at_ = 0;
    end_ = input_.read(buffer_.data(), buffer_.size());
    return end_ > 0;
  }

  Input& input_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;  // the bytes of the buffer not yet read
  std::uint64_t before_ = 0;      // bytes of the file before the buffer
  std::uint64_t profile_ = 0;     // number of the profile, from 1
};

}  // namespace gpuhmm
