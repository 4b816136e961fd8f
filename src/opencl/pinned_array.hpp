// Pinned host memory: a device can copy from and to it without the processor.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "gpuhmm/device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm {

/// `count` values of T in pinned memory, uninitialised. Throws EngineFailure.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  PinnedArray(const Queue& queue, std::size_t count)
      : queue_(queue),
        buffer_(queue.device().buffer<T>(count, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR)),
        values_(static_cast<T*>(queue.map(buffer_, CL_MAP_READ | CL_MAP_WRITE, count * sizeof(T)))),
        count_(count) {}
  ~PinnedArray() { release(); }
  PinnedArray(PinnedArray&& other) noexcept { *this = static_cast<PinnedArray&&>(other); }
  PinnedArray& operator=(PinnedArray&& other) noexcept {
    std::swap(queue_, other.queue_);
    std::swap(buffer_, other.buffer_);
    std::swap(values_, other.values_);
    std::swap(count_, other.count_);
    return *this;
  }

  std::size_t size() const { return count_; }
  T* data() const { return values_; }
  T operator[](std::size_t i) const { return values_[i]; }

 private:
  void release() {
    if (values_ == nullptr) return;
    try {
      queue_->unmap(buffer_, values_);
    } catch (const EngineFailure&) {  // a lost device is reported elsewhere
    }
  }

  std::optional<Queue> queue_;
  cl::Buffer buffer_;
  T* values_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace gpuhmm
