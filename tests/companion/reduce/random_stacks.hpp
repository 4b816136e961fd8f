// Random stacks of every number type for tests of reducers, with extreme values and NaN.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "companion/reduce/reduce.hpp"

namespace gpuhmm::testing {

/// A stack of `items` matrices of `size` elements. Integers have all magnitudes of the type; with `small`
/// they are from -3 to 3. Real numbers have many magnitudes and infinities; with `small` they are 0, -0 or
/// 1.5. A fraction `nan` of them is NaN.
template <class T>
std::vector<T> random_stack(std::mt19937_64& rng, std::size_t items, std::size_t size, bool small,
                            double nan) {
  std::vector<T> stack(items * size);
  for (T& value : stack) {
    const std::uint64_t bits = rng();
    if constexpr (std::is_integral_v<T>) {
      value = small ? static_cast<T>(static_cast<int>(bits % 7) - 3)
                    : static_cast<T>(static_cast<T>(bits) >> bits % 3 * 15);
    } else {
      const double part = static_cast<double>(bits >> 11) * 0x1p-53;
      if (part < nan) {
        value = bits % 2 == 0 ? std::numeric_limits<T>::quiet_NaN() : -std::numeric_limits<T>::quiet_NaN();
      } else if (small) {
        value = static_cast<T>(bits % 3 == 0 ? 0.0 : bits % 3 == 1 ? -0.0 : 1.5);
      } else {
        value = static_cast<T>(std::ldexp(part - 0.5, static_cast<int>(bits % 40)));
        if (bits % 1024 == 7) value = std::numeric_limits<T>::infinity();
      }
    }
  }
  return stack;
}

inline constexpr ReduceOperation kOperations[] = {ReduceOperation::Minimum, ReduceOperation::Maximum,
                                                  ReduceOperation::Sum, ReduceOperation::Mean};

/// True if both hold the same numbers: -0 differs from +0, and NaN equals NaN of the same sign.
inline bool same_bits(const NumberValues& a, const NumberValues& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&]<class T>(const std::vector<T>& x) {
        const auto& y = std::get<std::vector<T>>(b);
        if (x.size() != y.size()) return false;
        for (std::size_t i = 0; i < x.size(); ++i) {
          if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(x[i]) && std::isnan(y[i]) && std::signbit(x[i]) == std::signbit(y[i])) continue;
            if (x[i] != y[i] || std::signbit(x[i]) != std::signbit(y[i])) return false;
          } else if (x[i] != y[i]) {
            return false;
          }
        }
        return true;
      },
      a);
}

}  // namespace gpuhmm::testing
