// The vector as the algorithms see it: who may follow whom as a permutation, and values whose sums are exact.
//
// Equal values are given distinct ranks so that "a later element of higher rank" is exactly "an element that
// may follow": for strictly increasing subsequences the later of two equal elements ranks lower, for
// non-decreasing ones higher. Sums of integers are integers. Sums of real numbers are as well, after all are
// divided by the largest power of two that leaves them whole; only where they span more than 127 bits are
// sums rounded to double.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "util/int128.hpp"

namespace gpuhmm {

/// Rank of every element, 0 to n - 1, each once: element j may follow element i < j if ranks[j] > ranks[i].
/// T: int32, int64, float or double, all finite, fewer than 2^31 of them. O(n).
template <class T>
std::vector<std::int32_t> follower_ranks(std::span<const T> values, bool non_decreasing);

/// Elements of the longest subsequence of increasing ranks, O(n log n).
std::size_t longest_increasing(std::span<const std::int32_t> ranks);

/// Values of the same ratios as the input's, in the narrowest type in which no sum of `elements` of them can
/// leave its range: 32, 64 or 128 bits, or double where none suffices.
using Summands = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<Int128>,
                              std::vector<double>>;
template <class T>
Summands exact_summands(std::span<const T> values, std::uint64_t elements);

/// The sum of all values: exact for integers, the nearest double for real numbers (summed from the last to
/// the first where they span more than 127 bits).
template <class T>
std::variant<Int128, double> total(std::span<const T> values);

/// "32-bit integers" and so on, for messages.
const char* summand_name(const Summands& summands);

/// Stands for "no such subsequence": below every sum.
template <class Sum>
constexpr Sum no_sum() {
  if constexpr (std::numeric_limits<Sum>::has_infinity) {
    return -std::numeric_limits<Sum>::infinity();
  } else if constexpr (std::is_same_v<Sum, Int128>) {
    return Int128{1} << 126 << 1;  // the lowest
  } else {
    return std::numeric_limits<Sum>::min();
  }
}

/// The sum of an element and what follows it; no_sum() if nothing can.
template <class Sum>
constexpr Sum sum_before(Sum element, Sum following) {
  return following == no_sum<Sum>() ? following : static_cast<Sum>(element + following);
}

}  // namespace gpuhmm
