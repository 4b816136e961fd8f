// Limits how many profiles are scored at the same time where devices also align hits.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "align/opencl/path_devices.hpp"

namespace gpuhmm {

/// Lets as many profiles be scored at a time as the engines take; fewer until it is known whether devices
/// align the hits of the first one, and while they align, because a launch that aligns waits for all those
/// that score.
class ScoringTurns {
 public:
  /// `most`: that the engines take. `devices`, which align, may be null and must outlive this.
  ScoringTurns(unsigned most, const PathDevices* devices) : most_(most), devices_(devices) {}

  /// Waits for a turn and holds it until destruction.
  class Turn {
   public:
    explicit Turn(ScoringTurns& turns) : turns_(turns) {
      std::unique_lock lock(turns_.mutex_);
      turns_.ended_.wait(lock, [&] { return turns_.scored_ < turns_.limit(); });
      ++turns_.scored_;
    }
    ~Turn() {
      {
        const std::lock_guard lock(turns_.mutex_);
        --turns_.scored_;
      }
      turns_.ended_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    ScoringTurns& turns_;
  };

  /// To be called when the hits of a profile are aligned.
  void aligned() {
    {
      const std::lock_guard lock(mutex_);
      first_ = false;
    }
    ended_.notify_all();
  }

 private:
  // Changes without a notification only while some are scored, whose ends are notified.
  unsigned limit() {
    if (devices_ != nullptr && devices_->aligning()) first_ = false;
    const bool few = devices_ != nullptr && (first_ || devices_->aligning());
    return few ? std::min(most_, devices_->scored_beside()) : most_;
  }

  unsigned most_;
  const PathDevices* devices_;
  std::mutex mutex_;  // of the members below
  std::condition_variable ended_;
  unsigned scored_ = 0;
  bool first_ = true;  // none has been aligned yet, or begun to be by a device
};

}  // namespace gpuhmm
