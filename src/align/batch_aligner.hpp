// Alignment of many sequences to one profile over all cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <span>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/progress.hpp"
#include "plan7/aligner.hpp"
#include "plan7/score_model.hpp"
#include "plan7/small_memory.hpp"

namespace gpuhmm {

/// A sequence to be aligned.
struct AlignmentTask {
  std::span<const std::uint8_t> residues;
  MatrixRule rule;  ///< as HMMER's matrix stands when it comes to this sequence
  /// No path is made for a score (1/1000 bit) below this.
  std::int32_t lowest_traced = std::numeric_limits<std::int32_t>::min();
};

/// Takes the result of task number `task`. Called from several threads, in no particular order.
using AlignmentTaker = std::function<void(std::size_t task, AlignedSequence&& aligned)>;

/// Adds up the times of several threads.
class AlignmentClock {
 public:
  void add(const AlignmentTimes& times) {
    const std::lock_guard lock(mutex_);
    times_.fill += times.fill;
    times_.traceback += times.traceback;
  }
  AlignmentTimes times() const {
    const std::lock_guard lock(mutex_);
    return times_;
  }

 private:
  mutable std::mutex mutex_;
  AlignmentTimes times_;
};

/// Aligns all tasks over `threads` threads, longest first; each result is that of align(), whatever the other
/// tasks and the number of threads. `model` was made from `profile`. Memory of a thread: about 120 + nodes /
/// 2 bytes for each residue of two sequences, less than 50 MB each, and rarely a full matrix of up to 35 MB.
/// `clock`, if there is one, gets the times; the path of a sequence that is aligned alone counts as fill.
/// Throws what align() and `take` throw.
void align_batch(const Profile& profile, const ScoreModel& model, std::span<const AlignmentTask> tasks,
                 unsigned threads, const AlignmentTaker& take, AlignmentClock* clock = nullptr);

/// As parse_segments(), with vectors where the machine has them.
SegmentParse parse_segments_fast(const ScoreModel& model, std::span<const std::uint8_t> residues);

}  // namespace gpuhmm
