// Alignment of many sequences to one profile over all cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "plan7/aligner.hpp"
#include "plan7/profile.hpp"
#include "plan7/score_model.hpp"

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

/// Aligns all tasks over `threads` threads, longest first; each result is that of align(), whatever the other
/// tasks and the number of threads. `model` was made from `profile`. Memory of a thread: about 120 + nodes /
/// 2 bytes for each residue of two sequences, less than 50 MB each, and rarely a full matrix of up to 35 MB.
/// Throws what align() and `take` throw.
void align_batch(const Profile& profile, const ScoreModel& model, std::span<const AlignmentTask> tasks,
                 unsigned threads, const AlignmentTaker& take);

}  // namespace gpuhmm
