// What the small integers of a kernel stand for.
#pragma once

#include <cstdint>
#include <limits>

namespace gpuhmm::simd {

/// Unit of ScoreLevels::scale.
inline constexpr std::int64_t kScaleOne = 65536;

/// The meaning of a kernel's values: a value is (score - zero) * scale / kScaleOne.
struct ScoreLevels {
  std::int64_t scale = 0;
  std::int64_t zero = 0;
  /// A value: E up to the mark is valid; a larger E may have overflowed, or a second hit may raise the score.
  std::int64_t mark = 0;
  /// 1/1000 bit. The score that a value above the mark stands for is seldom more than so much too high.
  std::int64_t excess = std::numeric_limits<std::int32_t>::max();

  /// The score (1/1000 bit) that a value stands for, rounded up.
  std::int64_t score(std::int64_t value) const {
    const std::int64_t scaled = value * kScaleOne;
    return zero + (scaled >= 0 ? (scaled + scale - 1) / scale : scaled / scale);
  }
};

/// An insert emission in units of a kernel: whole + fraction / 256, rounded up. A kernel adds up the
/// fractions along a sequence, and adds 1 wherever the sum reaches another whole unit. The sum over some rows
/// is then a difference of two sums from the beginning, each of them rounded down, and so less than a unit
/// too low.
struct SplitUnits {
  std::int64_t whole;
  std::uint8_t fraction;
};

/// `score` (1/1000 bit) in units of `scale`.
inline SplitUnits split_units(std::int64_t score, std::int64_t scale) {
  constexpr std::int64_t kFractions = 256;
  const std::int64_t fractions = (score * scale * kFractions + kScaleOne - 1) >> 16;
  return {fractions >> 8, static_cast<std::uint8_t>(fractions & (kFractions - 1))};
}

}  // namespace gpuhmm::simd
