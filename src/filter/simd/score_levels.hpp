// What the small integers of a kernel stand for.
#pragma once

#include <cstdint>

namespace gpuhmm::simd {

/// Unit of ScoreLevels::scale.
inline constexpr std::int64_t kScaleOne = 65536;

/// The meaning of a kernel's values: a value is (score - zero) * scale / kScaleOne.
struct ScoreLevels {
  std::int64_t scale = 0;
  std::int64_t zero = 0;
  /// A value: E up to the mark is valid; a larger E may have overflowed, or a second hit may raise the score.
  std::int64_t mark = 0;

  /// The score (1/1000 bit) that a value stands for, rounded up.
  std::int64_t score(std::int64_t value) const {
    const std::int64_t scaled = value * kScaleOne;
    return zero + (scaled >= 0 ? (scaled + scale - 1) / scale : scaled / scale);
  }
};

}  // namespace gpuhmm::simd
