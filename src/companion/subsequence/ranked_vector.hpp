// Prepares a vector for the algorithms: ranks that show which elements may follow which, and summands whose
// sums are exact.
//
// Equal values get distinct ranks, so that a later element may follow exactly if its rank is higher: of two
// equal elements the later one ranks lower for strictly increasing subsequences, higher for non-decreasing
// ones. Real numbers are divided by the largest power of two of which all are multiples, so that their sums
// are integers, too. Only if the sums need more than 127 bits are they rounded to double.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "util/int128.hpp"

namespace gpuhmm {

/// The ranks of all elements, a permutation of 0 to n - 1: element j may follow element i < j if ranks[j] >
/// ranks[i]. T: std::int32_t, std::int64_t, float or double; all values finite. Throws std::length_error for
/// 2^31 values or more. O(n).
template <class T>
std::vector<std::int32_t> follower_ranks(std::span<const T> values, bool non_decreasing);

/// The number of elements of the longest subsequence of increasing ranks. O(n log n).
std::size_t longest_increasing(std::span<const std::int32_t> ranks);

/// Values proportional to the input, in the narrowest type that holds all sums of `elements` of them:
/// integers of 32, 64 or 128 bits, or double if none suffices.
using Summands = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<Int128>,
                              std::vector<double>>;
/// The summands of a vector. T: as for follower_ranks.
template <class T>
Summands exact_summands(std::span<const T> values, std::uint64_t elements);

/// The sum of all values: exact for integers, the nearest double for real numbers. If these need more than
/// 127 bits, they are added in double precision from last to first.
template <class T>
std::variant<Int128, double> total(std::span<const T> values);

/// The type of the summands for messages: "32-bit integers", "64-bit integers", "128-bit integers" or "double
/// precision".
const char* summand_name(const Summands& summands);

/// Stands for the sum of a subsequence that does not exist; it is below every sum.
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

/// The sum of an element and the subsequence that follows it, whose sum is `following`; no_sum() if that is
/// no_sum().
template <class Sum>
constexpr Sum sum_before(Sum element, Sum following) {
  return following == no_sum<Sum>() ? following : static_cast<Sum>(element + following);
}

}  // namespace gpuhmm
