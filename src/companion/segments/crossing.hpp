// Joins the segments of consecutive parts of a vector: the last step after a device has searched each part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "companion/segments/blocks.hpp"

namespace gpuhmm {

/// The maximal segments that cross a border between parts, in order. A part has `size` elements.
/// `segments[offsets[i]]` up to `segments[offsets[i + 1]]`, exclusive, are the segments of part i that can
/// join with others (see joinable); their positions and prefix sums count from the start of the vector.
/// bases[i] is the prefix sum before part i; one more entry holds the sum of all parts. Runs on `threads`
/// threads.
std::vector<BlockSegment<std::int64_t>> crossing_segments(
    std::span<const BlockSegment<std::int64_t>> segments, std::span<const std::uint32_t> offsets,
    std::span<const std::int64_t> bases, std::uint64_t size, unsigned threads);

}  // namespace gpuhmm
