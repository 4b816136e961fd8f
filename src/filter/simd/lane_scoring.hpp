// Scores of many sequences by several threads, with one sequence in each SIMD lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"
#include "filter/simd/lane_model.hpp"
#include "filter/simd/local_bound.hpp"
#include "util/shared_threads.hpp"

namespace gpuhmm::simd {

/// Whether the kernel exists, and there are enough sequences for all lanes to be worth making a model.
bool fills_lanes(const SequenceSet& sequences);

/// No result of sweep_lanes.
template <class T>
inline constexpr T kNotScored = std::numeric_limits<T>::min();

/// The results of sweep_lanes for the sequences in `longest_first`, by index into `sequences`; kNotScored for
/// sequences for which the other lanes would wait, and for those that are not in `longest_first`. Nothing if
/// there are too few sequences for all lanes.
template <class T>
std::optional<std::vector<T>> score_in_lanes(const LaneModel<T>& model, const SequenceSet& sequences,
                                             std::span<const std::size_t> longest_first,
                                             SharedThreads& threads);

/// The results of sweep_local_bound for the sequences in `longest_first`, by index into `sequences`; the
/// highest value for those for which the other lanes would wait, and for sequences that are not in
/// `longest_first`. Nothing if there are too few sequences for all lanes, or if more than a quarter of a
/// sample is above the mark.
std::optional<std::vector<std::int8_t>> bounds_in_lanes(const LocalBound& bound, const SequenceSet& sequences,
                                                        std::span<const std::size_t> longest_first,
                                                        SharedThreads& threads);

}  // namespace gpuhmm::simd
