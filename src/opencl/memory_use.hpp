// How much memory of a device the buffers of a program take.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "opencl/cl.hpp"

namespace gpuhmm {

/// Counts buffers while they exist. Any number of threads may call.
class MemoryUse {
 public:
  MemoryUse() : count_(std::make_shared<Count>()) {}

  /// Counts a new buffer of so many bytes until the driver has freed it. Throws cl::Error.
  void add(cl::Buffer& buffer, std::uint64_t bytes) {
    auto record = std::make_unique<Record>(count_, bytes);
    buffer.setDestructorCallback(&MemoryUse::forget, record.get());
    static_cast<void>(record.release());  // forget() deletes it
  }

  /// The most bytes at a time so far.
  std::uint64_t most() const {
    const std::lock_guard lock(count_->mutex);
    return count_->most;
  }

 private:
  struct Count {
    std::mutex mutex;
    std::uint64_t now = 0, most = 0;
  };
  // A driver may free a buffer after the device was closed.
  struct Record {
    Record(std::shared_ptr<Count> of, std::uint64_t size) : count(std::move(of)), bytes(size) {
      const std::lock_guard lock(count->mutex);
      count->now += bytes;
      count->most = std::max(count->most, count->now);
    }
    ~Record() {
      const std::lock_guard lock(count->mutex);
      count->now -= bytes;
    }
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;

    std::shared_ptr<Count> count;
    std::uint64_t bytes;
  };

  static void CL_CALLBACK forget(cl_mem /*buffer*/, void* record) { delete static_cast<Record*>(record); }

  std::shared_ptr<Count> count_;
};

}  // namespace gpuhmm
