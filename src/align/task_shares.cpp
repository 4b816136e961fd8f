// Takes portions from both ends.
#include "align/task_shares.hpp"

#include <algorithm>

namespace gpuhmm {

std::optional<Portion> TaskShares::take_portion() {
  const std::lock_guard lock(mutex_);
  if (begin_ == end_) return std::nullopt;
  return portions_[begin_++];
}

void TaskShares::drop() {
  const std::lock_guard lock(mutex_);
  begin_ = end_;
}

std::size_t TaskShares::launch_size(const grid::PathVariant& variant) const {
  constexpr std::size_t kLaunches = 8;
  return std::clamp(2 * portions_.size() / kLaunches, variant.least_launch, variant.most_launch);
}

}  // namespace gpuhmm
