// Scores of many sequences by several threads, with one sequence in each SIMD lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"
#include "filter/simd/lane_model.hpp"

namespace gpuhmm::simd {

/// Whether the kernel exists, there are enough sequences for all lanes, and none is so long that the other
/// lanes would wait for it.
bool fills_lanes(const SequenceSet& sequences, std::span<const std::size_t> longest_first);

/// The results of sweep_lanes for the sequences in `longest_first`, by index into `sequences`; 0 for the
/// others.
std::vector<std::int16_t> score_in_lanes(const LaneModel& model, const SequenceSet& sequences,
                                         std::span<const std::size_t> longest_first, unsigned threads);

}  // namespace gpuhmm::simd
