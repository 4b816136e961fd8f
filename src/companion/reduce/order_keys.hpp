// Maps numbers to signed integers in the same order, so that minimum and maximum need only integers.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gpuhmm {

/// The integer type for keys of T, of the same width.
template <class T>
using OrderKey = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// The key of a number. Integers are their own keys. The keys of real numbers order -0 before +0; every NaN
/// has the key `nan` (nan_key).
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

/// The number with a given key. The lowest and the highest key, which only NaN has, give NaN.
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

/// The key of NaN: the one that always wins if NaN is propagated; with `ignore` the one that always loses.
/// `maximum`: keys are for the maximum, else the minimum.
template <class Key>
constexpr Key nan_key(bool maximum, bool ignore) {
  return maximum != ignore ? std::numeric_limits<Key>::max() : std::numeric_limits<Key>::min();
}

/// The key that loses against every other one: the initial value of an accumulator.
template <class Key>
constexpr Key losing_key(bool maximum) {
  return maximum ? std::numeric_limits<Key>::min() : std::numeric_limits<Key>::max();
}

}  // namespace gpuhmm
