// Memory at vector alignment.
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>

namespace gpuhmm::simd {

/// An array of plain values aligned for every instruction set; its values are undefined after resizing.
template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  AlignedBuffer(std::size_t size, T value) {
    reserve(size);
    std::fill_n(data_.get(), size, value);
  }

  /// Makes room for `size` values; what it held is lost if it has to grow.
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    data_ = hwy::AllocateAligned<T>(size);
    capacity_ = size;
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  hwy::AlignedFreeUniquePtr<T[]> data_;
  std::size_t capacity_ = 0;
};

}  // namespace gpuhmm::simd
