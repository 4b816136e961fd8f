// Memory aligned for SIMD registers.
#pragma once

#include <algorithm>
#include <cstddef>

#include "util/large_bytes.hpp"

namespace gpuhmm::simd {

/// An array of plain values, aligned for every instruction set, a large one in huge pages. Values are
/// undefined after it grows.
template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  AlignedBuffer(std::size_t size, T value) {
    reserve(size);
    std::fill_n(data(), size, value);
  }

  /// Ensures memory for `size` values; loses the values held if it has to grow.
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    capacity_ = 0;
    bytes_.reset();
    bytes_ = large_bytes(size * sizeof(T));
    capacity_ = size;
  }
  std::size_t capacity() const { return capacity_; }
  T* data() { return reinterpret_cast<T*>(bytes_.get()); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_.get()); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  LargeBytes bytes_;  // begin at a cache line, at least as long as any vector
  std::size_t capacity_ = 0;
};

}  // namespace gpuhmm::simd
