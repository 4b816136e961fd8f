// Rounds quotients and checks the range of sums.
#include "companion/reduce/totals.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace gpuhmm {

double rounded_quotient(Int128 sum, std::uint64_t count) {
  // A quotient of 55 or more bits whose last bit is set if the division has a remainder rounds as the exact
  // quotient does.
  constexpr Int128 kEnough = Int128{1} << 55;
  const bool negative = sum < 0;
  Int128 rest = negative ? -sum : sum;
  int shift = 0;
  while (rest != 0 && rest / static_cast<Int128>(count) < kEnough) {
    rest *= 2;
    ++shift;
  }
  Int128 quotient = rest / static_cast<Int128>(count);
  if (quotient * static_cast<Int128>(count) != rest) quotient |= 1;
  const double value = std::ldexp(static_cast<double>(quotient), -shift);
  return negative ? -value : value;
}

NumberValues finish_integers(const std::vector<Int128>& sums, bool mean, std::uint64_t count) {
  if (mean) {
    std::vector<double> means;
    for (const Int128 sum : sums) means.push_back(rounded_quotient(sum, count));
    return means;
  }
  using Limits = std::numeric_limits<std::int64_t>;
  std::vector<std::int64_t> result;
  for (const Int128 sum : sums) {
    if (sum < Limits::min() || sum > Limits::max()) {
      throw std::overflow_error("element " + std::to_string(result.size()) +
                                " (counted from 0) has the sum " + to_string(sum) +
                                "; expected one that fits 64 bits");
    }
    result.push_back(static_cast<std::int64_t>(sum));
  }
  return result;
}

NumberValues finish_reals(std::vector<double> sums, bool mean, const std::vector<std::uint64_t>& counts) {
  for (std::size_t e = 0; e < sums.size(); ++e) {
    sums[e] += 0.0;
    if (mean) sums[e] /= static_cast<double>(counts[e]);
    if (std::isnan(sums[e])) sums[e] = std::numeric_limits<double>::quiet_NaN();
  }
  return sums;
}

}  // namespace gpuhmm
