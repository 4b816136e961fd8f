// Joining lists of segments of consecutive parts of a vector: the last step after a device has found the
// segments of each part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "companion/segments/blocks.hpp"

namespace gpuhmm {

/// The maximal segments that cross borders of parts, in order. `segments` has for each part those that can
/// join with others (see joinable), part i at offsets[i] to offsets[i + 1], places and sums counted from the
/// start of the vector; bases[i] is the prefix sum before part i, the last one that of all; a part has `size`
/// elements. On `threads` threads.
std::vector<BlockSegment<std::int64_t>> crossing_segments(
    std::span<const BlockSegment<std::int64_t>> segments, std::span<const std::uint32_t> offsets,
    std::span<const std::int64_t> bases, std::uint64_t size, unsigned threads);

}  // namespace gpuhmm
