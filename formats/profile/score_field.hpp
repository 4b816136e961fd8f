// The integer fields that store probabilities in HMMER2 text files (docs/spec/profile-format.md, 1.2, 1.4).
#pragma once

#include <cstdint>
#include <optional>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

/// A log-odds score in 1/1000 bit; nothing for `*`, which is probability zero.
using ScoreField = std::optional<std::int32_t>;

/// Largest score of a field: 100 bits, far above any score of a probability and far below an overflow.
inline constexpr std::int32_t kLargestScoreField = 100'000;

/// Probability that a field stands for, relative to the probability `reference`.
inline float decode(ScoreField field, float reference) {
  return field ? probability_of(*field, reference) : 0.0F;
}

/// Field of probability `p` relative to `reference`, as HMMER 2.3.2 writes it.
inline ScoreField encode(float p, float reference) {
  return p == 0.0F ? ScoreField{} : score_of(p, reference);
}

}  // namespace gpuhmm
