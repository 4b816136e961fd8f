// Scores of many sequences with one in each lane, over threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"
#include "filter/simd/lane_model.hpp"

namespace gpuhmm::simd {

/// Whether there are lanes and enough sequences for them, none of which is longer than several lanes of
/// average filling.
bool fills_lanes(const SequenceSet& sequences, std::span<const std::size_t> longest_first);

/// What sweep_lanes gives, by number, for the sequences that `longest_first` has.
std::vector<std::int16_t> score_in_lanes(const LaneModel& model, const SequenceSet& sequences,
                                         std::span<const std::size_t> longest_first, unsigned threads);

}  // namespace gpuhmm::simd
