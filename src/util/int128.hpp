// 128-bit integers for sums of 64-bit numbers.
#pragma once

#include <string>

namespace gpuhmm {

/// A compiler extension (gcc and clang on 64-bit machines), hence not pedantic C++.
__extension__ typedef __int128 Int128;

/// Decimal digits, with a minus sign if negative.
inline std::string to_string(Int128 value) {
  const bool negative = value < 0;
  std::string digits;
  do {
    const int digit = static_cast<int>(value % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  return negative ? "-" + digits : digits;
}

}  // namespace gpuhmm
