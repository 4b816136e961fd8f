// Minus infinity for 32-bit sums: lower scores are raised to one of which several can be added, and a bound
// on what paths gain tells which results are exact all the same.
//
// A path with a raised step scores at most -kImpossible plus what its other steps gain. A result above that
// is the score of a path without such a step, which raising leaves as it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Scores below -kImpossible (1/1000 bit) stand for minus infinity and are raised to it.
inline constexpr std::int64_t kImpossible = 200'000'000;

/// What 32-bit kernels take for no path yet, and the least that they take B for (rebased_model.hpp, range).
inline constexpr auto kNoPathYet = static_cast<std::int32_t>(-5 * kImpossible);
inline constexpr auto kLowestBegin = static_cast<std::int32_t>(-3 * kImpossible);

/// Sums of 32 bits hold for paths that gain no more than this (1/1000 bit).
inline constexpr std::int64_t kHighestGain = 1'000'000'000;

/// max(score, lowest).
inline std::int64_t raised(std::int32_t score, std::int64_t lowest = -kImpossible) {
  return std::max(std::int64_t{score}, lowest);
}

/// What a score can gain: itself, but no less than 0.
inline std::int64_t gain_of(std::int64_t score) { return std::max(score, std::int64_t{0}); }

/// No path gains more with L residues than fixed + L * per_residue (1/1000 bit).
struct PathGain {
  std::int64_t fixed = 0;
  std::int64_t per_residue = 0;

  std::int64_t operator()(std::size_t length) const {
    return fixed + static_cast<std::int64_t>(length) * per_residue;
  }
  /// The length up to which no path gains more than `most`, if `most` is at least `fixed`.
  std::int64_t longest(std::int64_t most) const {
    return (most - fixed) / std::max(per_residue, std::int64_t{1});
  }
};

/// For any path from N to T, by what it can gain with one residue, whichever states surround it.
PathGain gain_of_any_path(const ScoreModel& model);

}  // namespace gpuhmm
