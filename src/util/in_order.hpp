// Puts results that come in any order from several threads back in order.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace gpuhmm {

/// Collects `count` results. The thread that brings the next result in order takes it and all that follow
/// without a gap; the other threads do not wait.
template <class Result>
class InOrder {
 public:
  /// Takes the results from number `first` on. Called by one thread at a time.
  using Taker = std::function<void(std::size_t first, std::span<const Result>)>;

  InOrder(std::size_t count, Taker take) : take_(std::move(take)), results_(count), there_(count, false) {}

  /// Adds result number `place`. Throws what the taker throws; after that nothing more is taken.
  void put(std::size_t place, Result&& result) {
    std::unique_lock lock(mutex_);
    results_[place] = std::move(result);
    there_[place] = true;
    if (taking_) return;
    taking_ = true;
    for (std::size_t end = end_of_run(); end > next_; end = end_of_run()) {
      lock.unlock();
      take_(next_, std::span<const Result>(results_).subspan(next_, end - next_));
      lock.lock();
      next_ = end;
    }
    taking_ = false;
  }

 private:
  std::size_t end_of_run() const {
    std::size_t end = next_;
    while (end < there_.size() && there_[end]) ++end;
    return end;
  }

  Taker take_;
  std::mutex mutex_;  // of what follows; next_ changes only in the thread that takes
  std::vector<Result> results_;
  std::vector<bool> there_;
  std::size_t next_ = 0;
  bool taking_ = false;
};

}  // namespace gpuhmm
