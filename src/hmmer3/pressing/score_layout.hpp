// What the writer and the reader of .h3f and .h3p have in common (docs/spec/hmmer3/hmmscan.md, 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hmmer3/fast_filters.hpp"

namespace gpuhmm::hmmer3 {

/// Length of the target for which the scores that depend on it are written.
inline constexpr std::int64_t kPressedLength = 400;
inline constexpr std::size_t kVectorBytes = StripedBytes::kLanes;
/// Numbers of the composition, whatever the alphabet.
inline constexpr std::size_t kCompositionPlaces = 20;

/// What HMMER3 says where a record of .h3f does not end as it should.
inline constexpr std::string_view kNoSentinel = "no sentinel magic: .h3f file corrupted?";

/// How HMMER3 deals nodes to the lanes of vectors of numbers of `size` bytes.
inline Stripes pressed_stripes(int nodes, std::size_t size) { return {nodes, kVectorBytes / size, 2}; }

}  // namespace gpuhmm::hmmer3
