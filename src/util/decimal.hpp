// Decimal numbers as integers, so that their sums are exact.
#pragma once

#include <cstdint>

namespace gpuhmm {

/// The number digits * 10^-decimals.
struct Decimal {
  std::int64_t digits = 0;
  int decimals = 0;

  /// The value in units of 10^-places; `places` >= decimals.
  std::int64_t scaled(int places) const {
    std::int64_t value = digits;
    for (int i = decimals; i < places; ++i) value *= 10;
    return value;
  }
  double value() const {
    double divisor = 1;
    for (int i = 0; i < decimals; ++i) divisor *= 10;
    return static_cast<double>(digits) / divisor;
  }
};

}  // namespace gpuhmm
