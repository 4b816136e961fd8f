// Device memory that is reused from call to call.
#pragma once

#include <algorithm>
#include <cstddef>

#include "opencl/open_device.hpp"

namespace gpuhmm {

/// A buffer that grows on demand and is kept: allocation is slow, and drivers wait for all kernels before
/// they free memory. A small one grows to twice its size at least, and to a MiB. Not thread-safe.
class GrowingBuffer {
 public:
  /// A buffer of at least `bytes` bytes. If it had to grow, its content is lost. Throws EngineFailure.
  const cl::Buffer& at_least(const OpenDevice& device, std::size_t bytes) {
    if (bytes > bytes_) {
      constexpr std::size_t kLeast = std::size_t{1} << 20, kSmall = std::size_t{64} << 20;
      const std::size_t grown = bytes_ <= kSmall ? std::max({bytes, 2 * bytes_, kLeast}) : bytes;
      release();
      buffer_ = device.buffer<char>(grown);
      bytes_ = grown;
    }
    return buffer_;
  }
  /// The current buffer; an empty handle before the first call of at_least().
  const cl::Buffer& buffer() const { return buffer_; }
  /// Frees the memory.
  void release() {
    buffer_ = cl::Buffer();
    bytes_ = 0;
  }

 private:
  cl::Buffer buffer_;
  std::size_t bytes_ = 0;
};

}  // namespace gpuhmm
