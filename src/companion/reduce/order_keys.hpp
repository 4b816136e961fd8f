// Signed integers in the order of numbers, so that minimum and maximum are those of integers.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gpuhmm {

/// The integer that stands for a T: of the same width.
template <class T>
using OrderKey = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// Integers are their own keys. The keys of real numbers order -0 before +0; every NaN has the key `nan`.
template <class T>
[[gnu::always_inline]] inline OrderKey<T> order_key(T value, OrderKey<T> nan) {
  if constexpr (std::is_integral_v<T>) {
    return value;
  } else {
    using Key = OrderKey<T>;
    constexpr Key kMagnitude = std::numeric_limits<Key>::max();
    const Key infinity = std::bit_cast<Key>(std::numeric_limits<T>::infinity());
    const Key bits = std::bit_cast<Key>(value);
    const Key key = bits ^ ((bits >> (8 * sizeof(Key) - 1)) & kMagnitude);
    return (bits & kMagnitude) > infinity ? nan : key;
  }
}

/// The number of a key. The lowest and the highest key, which no number but NaN has, are NaN.
template <class T>
T number_of_key(OrderKey<T> key) {
  if constexpr (std::is_integral_v<T>) {
    return key;
  } else {
    using Limits = std::numeric_limits<OrderKey<T>>;
    if (key == Limits::min() || key == Limits::max()) return std::numeric_limits<T>::quiet_NaN();
    return std::bit_cast<T>(key ^ ((key >> (8 * sizeof(key) - 1)) & Limits::max()));
  }
}

/// The key of NaN: the one that always wins if NaN is propagated, else the one that never does.
template <class Key>
constexpr Key nan_key(bool maximum, bool ignore) {
  return maximum != ignore ? std::numeric_limits<Key>::max() : std::numeric_limits<Key>::min();
}

/// The key that every other one wins against.
template <class Key>
constexpr Key losing_key(bool maximum) {
  return maximum ? std::numeric_limits<Key>::min() : std::numeric_limits<Key>::max();
}

}  // namespace gpuhmm
