// Which of the scores that may be slightly too high are certain to the whole bit, as a histogram needs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpuhmm::simd {

/// Scores (1/1000 bit) may be up to `slack` too high. Marks a sequence of those in `order` as undecided if
/// its whole bits are not certain, or if its score may be the largest. Scores of undecided sequences are not
/// read.
void reopen_uncertain_bits(std::span<const std::size_t> order, std::span<const std::int32_t> scores,
                           std::int64_t slack, std::span<std::uint8_t> undecided);

}  // namespace gpuhmm::simd
