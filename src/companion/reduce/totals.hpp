// Converts sums to results: sums in the type of the output, or means.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/numbers/numbers.hpp"
#include "util/int128.hpp"

namespace gpuhmm {

/// The exact sum of `rows` integers, from one element of `sums` and `uppers` of add_rows (row_loops.hpp).
template <class Sum>
Int128 total_of(Sum sum, Sum upper, std::uint64_t rows) {
  constexpr int kHalf = 4 * sizeof(Sum);
  // Flipping the highest bit added 2^(kHalf - 1) to each signed upper half. The difference between the
  // wrapped sum and the upper halves is the sum of the lower halves, which is too small to wrap around.
  const Int128 uppers = Int128{upper} - (static_cast<Int128>(rows) << (kHalf - 1));
  const Int128 high = uppers * (Int128{1} << kHalf);
  return high + static_cast<Sum>(sum - static_cast<Sum>(high));
}

/// sum / count, rounded once to the nearest double, ties to even. `count`: 1 to 2^62.
double rounded_quotient(Int128 sum, std::uint64_t count);

/// Sums as int64, or means over `count` matrices. Throws std::overflow_error if a sum does not fit int64.
NumberValues finish_integers(const std::vector<Int128>& sums, bool mean, std::uint64_t count);

/// Sums, with +0 for -0, or means: sums[i] / counts[i]. The mean of no numbers is NaN.
NumberValues finish_reals(std::vector<double> sums, bool mean, const std::vector<std::uint64_t>& counts);

}  // namespace gpuhmm
