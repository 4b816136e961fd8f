// Limits how many profiles have their hits aligned at the same time, and shares the threads among them.
#pragma once

#include <algorithm>
#include <atomic>

#include "align/opencl/path_devices.hpp"
#include "util/permit.hpp"

namespace gpuhmm {

/// Some profiles are aligned at a time, since threads that have no work left for one can use that of another;
/// more for each device that aligns, as its launches wait for those that score.
class AlignmentTurns {
 public:
  /// `devices`, which align, may be null. `threads`: that work for all profiles together. `side_by_side`:
  /// whether several profiles are scored at a time; if not, they are aligned one by one.
  AlignmentTurns(const PathDevices* devices, unsigned threads, bool side_by_side)
      : devices_(devices != nullptr ? devices->count() : 0),
        threads_(threads),
        launches_(devices != nullptr ? devices->launches() : 0),
        most_(side_by_side ? most_beside(devices_) : 1),
        waiting_(side_by_side ? 2 * most_ : 0),
        free_(most_) {}

  /// Profiles that are aligned at a time, and those that may wait for it so that devices need not.
  unsigned profiles() const { return most_ + waiting_; }

  /// Waits for a turn and holds it until destruction.
  class Turn {
   public:
    explicit Turn(AlignmentTurns& turns)
        : turns_(turns), permit_(turns.free_), threads_(turns.threads_of_one(++turns.aligned_)) {}
    ~Turn() { --turns_.aligned_; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    /// The threads that should align the hits of the profile.
    unsigned threads() const { return threads_; }

   private:
    AlignmentTurns& turns_;
    Permit permit_;
    unsigned threads_;
  };

 private:
  static unsigned most_beside(unsigned devices) {
    constexpr unsigned kOnThreads = 2, kForEachDevice = 6;
    return devices == 0 ? kOnThreads : kForEachDevice * devices;
  }
  // With several devices all threads for each of that many profiles would hinder each other, and take work
  // that devices do sooner; there is one more for each launch, which waits for it. `aligned`: profiles.
  unsigned threads_of_one(unsigned aligned) const {
    return devices_ < 2 ? threads_ : std::clamp((threads_ + launches_) / aligned, 1U, threads_);
  }

  unsigned devices_, threads_, launches_, most_, waiting_;
  Permits free_;
  std::atomic<unsigned> aligned_ = 0;
};

}  // namespace gpuhmm
