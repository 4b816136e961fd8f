// How long a device has computed, from the times of its commands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <span>

#include "opencl/queue.hpp"

namespace gpuhmm {

/// Any number of threads may call.
class BusyTime {
 public:
  /// Adds commands, which end about in the order in which they began. What runs at the same time as a command
  /// added before counts once.
  void add(std::span<const CommandTime> times) {
    const std::lock_guard lock(mutex_);
    for (const CommandTime& time : times) {
      const std::uint64_t start = std::max(time.start, until_);
      if (time.end <= start) continue;
      seconds_ += CommandTime{start, time.end}.seconds();
      until_ = time.end;
    }
  }

  double seconds() const {
    const std::lock_guard lock(mutex_);
    return seconds_;
  }

 private:
  mutable std::mutex mutex_;
  double seconds_ = 0;
  std::uint64_t until_ = 0;
};

}  // namespace gpuhmm
