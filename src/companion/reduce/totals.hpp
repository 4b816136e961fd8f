// From exact or rounded sums to results.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/numbers/numbers.hpp"
#include "util/int128.hpp"

namespace gpuhmm {

/// The exact sum of `rows` integers of twice `kHalf` bits from what add_rows (row_loops.hpp) leaves.
template <class Sum>
Int128 total_of(Sum sum, Sum upper, std::uint64_t rows) {
  constexpr int kHalf = 4 * sizeof(Sum);
  // The flipped bit has added half of the range to each upper half, which is signed without it. The lower
  // halves are what the wrapped sum lacks, all of it as long as they cannot wrap around themselves.
  const Int128 uppers = Int128{upper} - (static_cast<Int128>(rows) << (kHalf - 1));
  const Int128 high = uppers * (Int128{1} << kHalf);
  return high + static_cast<Sum>(sum - static_cast<Sum>(high));
}

/// The quotient of integers, rounded once to the nearest double, ties to even. count: 1 to 2^62.
double rounded_quotient(Int128 sum, std::uint64_t count);

/// Sums as int64, or means over `count` matrices. Throws std::overflow_error if a sum does not fit int64.
NumberValues finish_integers(const std::vector<Int128>& sums, bool mean, std::uint64_t count);

/// Sums, with -0 made +0, or means over `counts` numbers each; the mean of none is NaN.
NumberValues finish_reals(std::vector<double> sums, bool mean, const std::vector<std::uint64_t>& counts);

}  // namespace gpuhmm
