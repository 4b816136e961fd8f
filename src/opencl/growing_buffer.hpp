// Device memory that is reused from call to call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm {

/// A buffer that grows on demand and is kept. A small one grows to twice its size at least, and to a MiB.
/// Those that it has outgrown are kept, too, unless they are large for the device: drivers wait for all
/// kernels before they free memory, and make other threads wait. Not thread-safe.
class GrowingBuffer {
 public:
  /// A buffer of at least `bytes` bytes. If it had to grow, its content is lost. Throws EngineFailure.
  const cl::Buffer& at_least(const OpenDevice& device, std::size_t bytes) {
    constexpr std::size_t kLeast = std::size_t{1} << 20, kSmall = std::size_t{256} << 20;
    if (bytes > bytes_) grow(device, bytes, bytes_ <= kSmall ? std::max(2 * bytes_, kLeast) : bytes);
    return buffer_;
  }
  /// The same for one batch after another: with some room to spare, as the next one may be a little larger.
  const cl::Buffer& for_batch(const OpenDevice& device, std::size_t bytes) {
    constexpr std::size_t kSpare = 8;  // a part of the bytes
    bytes = std::max<std::size_t>(bytes, 1);
    if (bytes > bytes_) grow(device, bytes, bytes + bytes / kSpare);
    return buffer_;
  }
  /// The current buffer; an empty handle before the first call of at_least().
  const cl::Buffer& buffer() const { return buffer_; }
  /// Frees the memory.
  void release() {
    buffer_ = cl::Buffer();
    outgrown_.clear();
    bytes_ = 0;
  }

 private:
  // To `wanted` bytes, if the device allows it, but at least to `bytes`.
  void grow(const OpenDevice& device, std::size_t bytes, std::size_t wanted) {
    const std::uint64_t allowed = std::min<std::uint64_t>(wanted, device.info().max_allocation);
    constexpr std::uint64_t kLargePart = 512;  // of the device's memory
    const std::size_t before = std::exchange(bytes_, 0);
    if (before > 0 && before <= device.info().memory / kLargePart) outgrown_.push_back(std::move(buffer_));
    buffer_ = cl::Buffer();
    const std::size_t grown = std::max(bytes, static_cast<std::size_t>(allowed));
    buffer_ = device.buffer<char>(grown);
    bytes_ = grown;
  }

  cl::Buffer buffer_;
  std::vector<cl::Buffer> outgrown_;
  std::size_t bytes_ = 0;
};

/// Begins to copy values into `buffer`, GrowingBuffer::at_least(). They must not change until that has ended.
/// Throws EngineFailure.
template <class Values>
void send(const Queue& queue, GrowingBuffer& buffer, const Values& values) {
  const std::span view(values);
  queue.send(buffer.at_least(queue.device(), view.size_bytes()), view.data(), view.size());
}

/// The values of a batch in `buffer`, GrowingBuffer::for_batch(). Waits. Throws EngineFailure.
template <class Values>
const cl::Buffer& sent(const Queue& queue, GrowingBuffer& buffer, const Values& values) {
  const std::span view(values);
  const cl::Buffer& to = buffer.for_batch(queue.device(), view.size_bytes());
  queue.write(to, view.data(), view.size());
  return to;
}

}  // namespace gpuhmm
