// Reads chunks and keeps the part of a record that follows.
#include "companion/sorting/chunk_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "companion/sorting/run.hpp"

namespace gpuhmm {

/// Reads until the buffer has more than `size` bytes, or to the end of the input, and adds a newline there if
/// it lacks one. The buffer grows to the rest of the file if its size is known, else to twice its size.
void ChunkReader::fill(std::size_t size) {
  constexpr std::size_t kBlock = std::size_t{4} << 20;
  while (!input_ended_ && buffer_.size() <= size) {
    const std::size_t wanted = std::clamp<std::size_t>(size + 1 - buffer_.size(), 1, kBlock);
    const std::size_t likely = input_.bytes_left().value_or(std::max(buffer_.size(), kBlock));
    const std::size_t room = std::min(size + 1 - buffer_.size(), std::max(likely, wanted)) + 1;
    const std::size_t got = input_.read(buffer_.room(room), wanted);
    buffer_.added(got);
    if (meter_ != nullptr) meter_->reach(reading_part(input_.fraction_read()), static_cast<double>(got));
    input_ended_ = got == 0;
    if (input_ended_ && !buffer_.empty() && buffer_.view().back() != '\n') {
      *buffer_.room(1) = '\n';
      buffer_.added(1);
    }
  }
}

/// Bytes of the whole records in the first `size` bytes; 0 if there is none.
std::size_t ChunkReader::whole_records(std::size_t size) const {
  if (input_ended_ && buffer_.size() <= size) return buffer_.size();
  const std::string end = "\n" + std::string(record_start_);
  const std::size_t last = buffer_.view().substr(0, size + record_start_.size()).rfind(end);
  return last == std::string_view::npos ? 0 : last + 1;
}

std::string_view ChunkReader::next(std::size_t size) {
  buffer_.consume(std::exchange(taken_, 0));
  for (;; size = size > longest_ / 2 ? std::max(size, longest_) + 1 : 2 * size) {
    fill(size);
    taken_ = whole_records(size);
    if (taken_ > 0 || buffer_.empty()) return buffer_.view().substr(0, taken_);
    if (size > longest_) {
      throw FileError(input_.name() + ": a line or record of more than " + std::to_string(longest_) +
                      " bytes, the most allowed");
    }
  }
}

}  // namespace gpuhmm
