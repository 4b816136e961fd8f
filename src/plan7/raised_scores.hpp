// Minus infinity for 32-bit sums: lower scores are raised to a value that can be added several times, and a
// bound on the gain of paths shows which results are exact nevertheless.
//
// A path with a raised step scores at most -kImpossible plus the gain of its other steps. A result above that
// belongs to a path without such a step, whose score raising does not change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Scores below -kImpossible (1/1000 bit) stand for minus infinity and are raised to it.
inline constexpr std::int64_t kImpossible = 200'000'000;

/// The value of 32-bit kernels for "no path yet", and the least value that they use for B (rebased_model.hpp,
/// range).
inline constexpr auto kNoPathYet = static_cast<std::int32_t>(-5 * kImpossible);
inline constexpr auto kLowestBegin = static_cast<std::int32_t>(-3 * kImpossible);

/// 32-bit sums suffice for paths that gain no more than this (1/1000 bit).
inline constexpr std::int64_t kHighestGain = 1'000'000'000;

/// max(score, lowest).
inline std::int64_t raised(std::int32_t score, std::int64_t lowest = -kImpossible) {
  return std::max(std::int64_t{score}, lowest);
}

/// The gain of a score: max(score, 0).
inline std::int64_t gain_of(std::int64_t score) { return std::max(score, std::int64_t{0}); }

/// Bound on the gain of a path with L residues: fixed + L * per_residue (1/1000 bit).
struct PathGain {
  std::int64_t fixed = 0;
  std::int64_t per_residue = 0;

  std::int64_t operator()(std::size_t length) const {
    return fixed + static_cast<std::int64_t>(length) * per_residue;
  }
  /// The largest length at which no path gains more than `most`, which must be at least `fixed`.
  std::int64_t longest(std::int64_t most) const {
    return (most - fixed) / std::max(per_residue, std::int64_t{1});
  }
};

/// A bound for any path from N to T. Counts for every residue the highest gain that one residue can have,
/// whatever the states around it.
PathGain gain_of_any_path(const ScoreModel& model);

}  // namespace gpuhmm
