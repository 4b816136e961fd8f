// Memory aligned for SIMD registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace gpuhmm::simd {

/// An array of plain values, aligned for every instruction set. Values are undefined after it grows.
template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  AlignedBuffer(std::size_t size, T value) {
    reserve(size);
    std::fill_n(data_.get(), size, value);
  }

  /// Ensures memory for `size` values; loses the values held if it has to grow.
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    data_.reset();
    data_.reset(static_cast<T*>(::operator new(size * sizeof(T), kAlignment)));
    capacity_ = size;
  }
  std::size_t capacity() const { return capacity_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  // A cache line, at least as long as any vector.
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(T* data) const { ::operator delete(data, kAlignment); }
  };

  std::unique_ptr<T[], Free> data_;
  std::size_t capacity_ = 0;
};

}  // namespace gpuhmm::simd
