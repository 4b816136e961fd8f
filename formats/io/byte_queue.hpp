// Bytes on their way from a file to a parser.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace gpuhmm {

/// Bytes that are added at the end and consumed at the front. Memory that is made room for is not cleared, so
/// that a large buffer costs a small file nothing. It grows by at least half, so that adding takes linear
/// time.
class ByteQueue {
 public:
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  /// The bytes held; valid until the next call of room or another change.
  std::string_view view() const { return {bytes_.get() + begin_, size()}; }

  /// Room for `size` bytes behind those held. What is written there is held once added() says so.
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
  void grow(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (end_ > 0) std::memcpy(larger.get(), bytes_.get(), end_);
    bytes_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0, end_ = 0;  // what is held
};

}  // namespace gpuhmm
