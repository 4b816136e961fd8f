// The published recurrence on the host: sums of increasing subsequences by their last element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace gpuhmm::experiment {

/// Stands for the sum of a subsequence that does not exist.
inline constexpr std::int32_t kNoSum = std::numeric_limits<std::int32_t>::min();

/// Entry i * k + l: the largest sum of l + 1 strictly increasing elements of which i is the last, or kNoSum.
using ElementSums = std::vector<std::int32_t>;

/// The table before the first step: sums of one element, all else kNoSum. Sums of k values must fit 32 bits.
ElementSums single_elements(std::span<const std::int32_t> values, std::size_t k);

/// Sequential, O(n^2 k): for each element all earlier ones, for each of these all lengths.
ElementSums sums_in_sequence(std::span<const std::int32_t> values, std::size_t k);

/// How threads that share the earlier elements of one element join their maxima.
enum class Join : std::uint8_t {
  Locked,    ///< as published: every update under a lock
  OwnMaxima  ///< each thread keeps its own maxima and adds them under the lock at the end
};

/// The same table, by `threads` threads (at least 1), which wait for each other after every element.
ElementSums sums_by_threads(std::span<const std::int32_t> values, std::size_t k, unsigned threads, Join join);

/// The largest sum of k elements; nothing if there is none.
std::optional<std::int32_t> largest_sum(const ElementSums& sums, std::size_t k);

}  // namespace gpuhmm::experiment
