// Host memory that a device copies from and to by itself, and waiting for it without holding up other
// threads.
#pragma once

#include <cstddef>
#include <utility>

#include "opencl/cl.hpp"

namespace gpuhmm {

/// Values of T in pinned memory, uninitialised. Throws cl::Error.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  PinnedArray(const cl::Context& context, const cl::CommandQueue& queue, std::size_t count)
      : queue_(queue),
        buffer_(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, count * sizeof(T)),
        values_(static_cast<T*>(
            queue.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, count * sizeof(T)))),
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
      queue_.enqueueUnmapMemObject(buffer_, values_);
    } catch (const cl::Error&) {  // a lost device has told it elsewhere
    }
  }

  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  T* values_ = nullptr;
  std::size_t count_ = 0;
};

/// Waits for a command that has been flushed. Asks again and again: the blocking calls of NVIDIA's driver
/// keep all other threads from launching anything meanwhile. Throws cl::Error if the command failed.
void wait_for(const cl::Event& event);

}  // namespace gpuhmm
