// A score model reduced to its single-hit form: the part of the work that every sequence needs, with fewer
// operations a cell and still exact.
//
// Where N, J and C loops cost the same t, scores are counted relative to t times the row. Then B stays at
// N->B in every row as long as no second hit pays, and the score is the largest E of all rows + E->C + C->T +
// t L. A second hit can pay only if some E + E->J + J->B > N->B.
//
// Every state of every node gets an additive constant (its potential), which sums along a path cancel:
//   M~ = M + es_k                      so that E is the maximum of all M~
//   Q_k = max(M + mm, I + im, D + dm)  what node k hands to M of node k + 1
//   Q~ = max(M~, I~, D~)               all three ways into Q cost nothing
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "plan7/score_model.hpp"

namespace gpuhmm::simd {

/// Scores below -kImpossible are raised to it. It stands for minus infinity in 32-bit kernels: a path with
/// such a step scores at most the gain of its other steps less kImpossible, so results above that are exact.
inline constexpr std::int64_t kImpossible = 200'000'000;

/// Paths that may gain more than this are left to the plain reference.
inline constexpr std::int64_t kHighestGain = 1'000'000'000;

/// Smallest and largest emission score of a node over all residue codes, after raising and less t.
struct EmissionRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// The specials of a single-hit model and bounds on what its paths can gain.
struct SingleHitModel {
  int nodes = 0;
  std::int32_t loop = 0;           ///< t, gained with every residue
  std::int32_t begin = 0;          ///< B, the same in every row
  std::int64_t exit = 0;           ///< E->C + C->T
  std::int64_t multihit_mark = 0;  ///< an E above this may profit from a second hit
  bool multihit = false;           ///< whether J can be reached at all

  std::int64_t gain_fixed = 0;        ///< no path gains more than gain_fixed + L * gain_per_residue up to E
  std::int64_t gain_per_residue = 0;  ///< (1/1000 bit)

  std::vector<EmissionRange> match, insert;  ///< node-indexed, 1..M and 1..M-1

  std::int64_t gain(std::size_t length) const {
    return gain_fixed + static_cast<std::int64_t>(length) * gain_per_residue;
  }
  /// Whether 32-bit sums hold for sequences of this length.
  bool fits(std::size_t length) const {
    return gain(length) <= kHighestGain &&
           static_cast<std::int64_t>(length) * std::abs(std::int64_t{loop}) <= 2 * kImpossible;
  }
  /// The score of a sequence whose largest E is `e`; nothing if 32-bit sums may not have held or if a raised
  /// score may have part in it.
  std::optional<std::int32_t> score(std::int64_t e, std::size_t length) const {
    if (!fits(length) || e <= gain(length) - kImpossible) return std::nullopt;
    return static_cast<std::int32_t>(e + exit + static_cast<std::int64_t>(length) * loop);
  }
};

/// The single-hit form, or nothing if N, J and C loops differ, if a special step that every path needs is
/// impossible or if some score is too high for 32-bit sums.
std::optional<SingleHitModel> reduce_to_single_hit(const ScoreModel& model);

/// The transitions after adding the potentials; node-indexed 1..M, in 1/1000 bit. Transitions that do not
/// exist at node M are -kImpossible.
struct RebasedModel {
  std::vector<std::int64_t> entry;        ///< B into M_k, to be compared with Q~ of node k - 1
  std::vector<std::int64_t> match_shift;  ///< to be added to the (raised) match emissions less t
  std::vector<std::int64_t> mi, ii, md, dd;
  std::vector<std::int64_t> delete_potential;  ///< D~ - D
};

RebasedModel rebase(const ScoreModel& model, const SingleHitModel& single);

/// max(score, -kImpossible).
inline std::int64_t raised(std::int32_t score) {
  return score > -kImpossible ? std::int64_t{score} : -kImpossible;
}

}  // namespace gpuhmm::simd
