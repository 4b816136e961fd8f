// Device memory that is used again by one call after the other.
#pragma once

#include <cstddef>

#include "opencl/open_device.hpp"

namespace gpuhmm {

/// A buffer that grows and is kept, for getting memory takes long and drivers wait for all kernels before
/// they give it back. Not thread-safe.
class GrowingBuffer {
 public:
  /// Memory of at least so many bytes, new if there is less; that has other content. Throws EngineFailure.
  const cl::Buffer& at_least(const OpenDevice& device, std::size_t bytes) {
    if (bytes > bytes_) {
      release();
      buffer_ = device.buffer<char>(bytes);
      bytes_ = bytes;
    }
    return buffer_;
  }
  /// What there is; an empty handle before the first call of at_least().
  const cl::Buffer& buffer() const { return buffer_; }
  /// Gives the memory back.
  void release() {
    buffer_ = cl::Buffer();
    bytes_ = 0;
  }

 private:
  cl::Buffer buffer_;
  std::size_t bytes_ = 0;
};

}  // namespace gpuhmm
