// The sequences to be aligned to a profile, shared between the host's threads and devices.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "align/opencl/path_variant.hpp"

namespace gpuhmm {

/// One task, or two whose sequences are swept side by side.
struct Portion {
  std::size_t first;
  std::optional<std::size_t> second;
  bool for_devices = false;  ///< whether devices can align them
};

/// Gives threads the first sequences and devices the last. Any number of threads may call.
class TaskShares {
 public:
  /// `portions`: those that are not for devices first, both in the order of falling lengths.
  explicit TaskShares(std::vector<Portion> portions)
      : portions_(std::move(portions)), end_(portions_.size()) {}

  std::size_t size() const { return portions_.size(); }

  /// The next portion for a thread; nothing if there is none.
  std::optional<Portion> take_portion();
  /// Nobody gets what is left.
  void drop();
  /// Tasks for a launch on a device, the longest first; none if the device cannot align what is left.
  /// record(task): the bytes of its record.
  template <class Record>
  std::vector<std::size_t> take_launch(const grid::PathVariant& variant, const Record& record) {
    const std::lock_guard lock(mutex_);
    const std::size_t most = launch_size(variant);
    std::vector<std::size_t> tasks;
    std::size_t bytes = 0;
    for (; begin_ < end_ && tasks.size() < most; --end_) {
      const Portion& portion = portions_[end_ - 1];
      bytes += record(portion.first) + (portion.second ? record(*portion.second) : 0);
      if (!portion.for_devices || (bytes > variant.record_bytes && !tasks.empty())) break;
      if (portion.second) tasks.push_back(*portion.second);
      tasks.push_back(portion.first);
    }
    return {tasks.rbegin(), tasks.rend()};
  }

 private:
  // So many that several threads have something to do with the results.
  std::size_t launch_size(const grid::PathVariant& variant) const;

  std::mutex mutex_;
  std::vector<Portion> portions_;
  std::size_t begin_ = 0, end_;  // of those that nobody has taken
};

}  // namespace gpuhmm
