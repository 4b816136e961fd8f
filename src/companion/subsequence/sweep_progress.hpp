// Lets sweeps on several threads follow each other through a vector.
#pragma once

#include <atomic>
#include <cstddef>

namespace gpuhmm {

/// The progress of a sweep from the last entry of a level to the first. One thread calls reach(), any thread
/// may wait.
class SweepProgress {
 public:
  /// The entries from `first` on are final from the beginning.
  explicit SweepProgress(std::size_t first) : first_(first) {}

  /// Reports that all entries from `first` on are final.
  void reach(std::size_t first) {
    first_.store(first, std::memory_order_release);
    first_.notify_all();
  }
  /// Returns once all entries from `first` on are final.
  void wait_for(std::size_t first) const {
    for (std::size_t now = first_.load(std::memory_order_acquire); now > first;
         now = first_.load(std::memory_order_acquire)) {
      first_.wait(now, std::memory_order_acquire);
    }
  }

 private:
  std::atomic<std::size_t> first_;
};

}  // namespace gpuhmm
