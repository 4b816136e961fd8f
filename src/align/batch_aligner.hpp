// Aligns many sequences to one profile on all cores.
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

class PathDevices;

/// A sequence to align.
struct AlignmentTask {
  std::span<const std::uint8_t> residues;
  MatrixRule rule;  ///< state of HMMER's matrix when it reaches this sequence
  /// No path is made for a score (1/1000 bit) below this.
  std::int32_t lowest_traced = std::numeric_limits<std::int32_t>::min();
};

/// Takes the result of task number `task`. Called from several threads, in any order.
using AlignmentTaker = std::function<void(std::size_t task, AlignedSequence&& aligned)>;

/// Adds up the times of several threads.
class AlignmentClock {
 public:
  void add(const AlignmentTimes& times) {
    const std::lock_guard lock(mutex_);
    times_.fill += times.fill;
    times_.traceback += times.traceback;
    times_.device += times.device;
    times_.by_threads += times.by_threads;
    times_.by_devices += times.by_devices;
  }
  AlignmentTimes times() const {
    const std::lock_guard lock(mutex_);
    return times_;
  }

 private:
  mutable std::mutex mutex_;
  AlignmentTimes times_;
};

/// Aligns all tasks on `threads` threads, longest first. Each result is that of align(), whatever the other
/// tasks and the number of threads. `model` was made from `profile`. A thread needs about 120 + nodes / 2
/// bytes for each residue of two sequences, less than 50 MB each, and rarely a full matrix of up to 35 MB.
/// `clock`, if not null, gets the times; the traceback of a sequence that is aligned alone counts as fill.
/// `devices`, if not null, do most of the work if they have some to spare and it is worth it; a sample of
/// what they find is recomputed. If one fails, threads do its part. Throws what align() and `take` throw, and
/// WrongScore.
void align_batch(const Profile& profile, const ScoreModel& model, std::span<const AlignmentTask> tasks,
                 unsigned threads, const AlignmentTaker& take, AlignmentClock* clock = nullptr,
                 PathDevices* devices = nullptr);

/// As parse_segments(), but with SIMD where the machine has it.
SegmentParse parse_segments_fast(const ScoreModel& model, std::span<const std::uint8_t> residues);

}  // namespace gpuhmm
