// The integer fields by which HMMER2 text files hold probabilities (docs/spec/profile-format.md, 1.2, 1.4).
#pragma once

#include <cstdint>
#include <optional>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

/// A log-odds score in 1/1000 bit; nothing stands for `*`, probability zero.
using ScoreField = std::optional<std::int32_t>;

/// Largest score a field may hold: 100 bits, far above what a probability gives and far below what overflows.
inline constexpr std::int32_t kLargestScoreField = 100'000;

/// Probability that a field stands for against the probability `reference`.
inline float decode(ScoreField field, float reference) {
  return field ? probability_of(*field, reference) : 0.0F;
}

/// Field of probability `p` against `reference`, as HMMER 2.3.2 writes it.
inline ScoreField encode(float p, float reference) {
  return p == 0.0F ? ScoreField{} : score_of(p, reference);
}

}  // namespace gpuhmm
