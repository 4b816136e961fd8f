// Compares the bins of the highest and the lowest score that a sequence may have.
#include "filter/simd/whole_bits.hpp"

#include <algorithm>
#include <limits>

#include "gpuhmm/histogram.hpp"
#include "plan7/arithmetic.hpp"

namespace gpuhmm::simd {

void reopen_uncertain_bits(std::span<const std::size_t> order, std::span<const std::int32_t> scores,
                           std::int64_t slack, std::span<std::uint8_t> undecided) {
  const auto lowest = [&](std::size_t i) { return static_cast<std::int32_t>(scores[i] - slack); };
  std::int32_t largest = std::numeric_limits<std::int32_t>::min();
  for (const std::size_t i : order) {
    if (!undecided[i]) largest = std::max(largest, lowest(i));
  }
  for (const std::size_t i : order) {
    if (undecided[i]) continue;
    const bool certain =
        ScoreHistogram::bin_of(bits_of(lowest(i))) == ScoreHistogram::bin_of(bits_of(scores[i]));
    undecided[i] = !certain || scores[i] >= largest;
  }
}

}  // namespace gpuhmm::simd
