// Four lanes in plain C++: the reference of vector code.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gpuhmm::hmmer3 {

/// One group of four lanes (see striped_sweep-inl.hpp).
struct PlainLanes {
  static constexpr std::size_t kGroups = 1;
  /// Whether passes over deletes end where they would change nothing any more.
  static constexpr bool kEndsPassesEarly = false;
  /// Bytes of the bits of a mask.
  static constexpr std::size_t kBitBytes = 1;
  using Vector = std::array<float, 4>;
  using Mask = std::array<bool, 4>;
  using Scalars = std::array<float, kGroups>;

  static Vector zero() { return {0, 0, 0, 0}; }
  /// A scalar a group in all its lanes.
  static Vector set(const Scalars& x) { return {x[0], x[0], x[0], x[0]}; }
  /// One value in all lanes.
  static Vector fill(float x) { return {x, x, x, x}; }
  static Vector load(const float* from) { return {from[0], from[1], from[2], from[3]}; }
  /// The same four values in each group.
  static Vector load_same(const float* from) { return load(from); }
  /// Four values for each group, `at` behind a place of its own.
  static Vector load_each(const std::array<const float*, kGroups>& from, std::size_t at) {
    return load(from[0] + at);
  }
  static void store(const Vector& v, float* to) {
    for (std::size_t r = 0; r < 4; ++r) to[r] = v[r];
  }
  static Vector add(const Vector& a, const Vector& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
  }
  static Vector multiply(const Vector& a, const Vector& b) {
    return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
  }
  static Vector maximum(const Vector& a, const Vector& b) {
    return {std::max(a[0], b[0]), std::max(a[1], b[1]), std::max(a[2], b[2]), std::max(a[3], b[3])};
  }
  /// Each lane to the next one of its group; 0 comes into the first (down: from the next one, into the last).
  static Vector up(const Vector& v) { return {0, v[0], v[1], v[2]}; }
  static Vector down(const Vector& v) { return {v[1], v[2], v[3], 0}; }
  /// up(), but -infinity comes in.
  static Vector up_from_impossible(const Vector& v) {
    return {-std::numeric_limits<float>::infinity(), v[0], v[1], v[2]};
  }
  /// (v0 + v1) + (v2 + v3) of each group.
  static Scalars sums(const Vector& v) { return {(v[0] + v[1]) + (v[2] + v[3])}; }

  static Mask no_lanes() { return {}; }
  /// The lanes where a > b.
  static Mask greater(const Vector& a, const Vector& b) {
    return {a[0] > b[0], a[1] > b[1], a[2] > b[2], a[3] > b[3]};
  }
  /// The lanes of `mask` and those where a > b.
  static Mask or_greater(Mask mask, const Vector& a, const Vector& b) {
    for (std::size_t r = 0; r < 4; ++r) mask[r] = mask[r] || a[r] > b[r];
    return mask;
  }
  static bool any(const Mask& mask) { return mask[0] || mask[1] || mask[2] || mask[3]; }
  /// `v`, but 0 in the groups without a lane in `mask`.
  static Vector zero_unless_any(const Mask& mask, const Vector& v) { return any(mask) ? v : zero(); }
  /// a in the lanes of the mask, else b.
  static Vector choose(const Mask& mask, const Vector& a, const Vector& b) {
    return {mask[0] ? a[0] : b[0], mask[1] ? a[1] : b[1], mask[2] ? a[2] : b[2], mask[3] ? a[3] : b[3]};
  }
  /// Writes the mask as kBitBytes bytes; bit() reads the bit of a lane.
  static void store_bits(const Mask& mask, std::uint8_t* to) {
    *to = static_cast<std::uint8_t>(mask[0] | mask[1] << 1 | mask[2] << 2 | mask[3] << 3);
  }
  static bool bit(const std::uint8_t* bits, std::size_t /*group*/, std::size_t stripe) {
    return (*bits >> stripe & 1) != 0;
  }
};

}  // namespace gpuhmm::hmmer3
