// The single-hit form of a score model: re-basing along the rows. It drops N, J and C, work that most
// sequences do not need, and is exact nevertheless.
//
// Let the N, J and C loops all score t. Count every score of row i (after i residues) relative to t * i: then
// loops cost nothing, and every emission of a match or an insert is reduced by t. As in any re-basing
// (rebased_model.hpp) all candidates of a maximum change by the same constant. So B is N->B in every row as
// long as no second hit pays, and with E as the largest of all rows
//   score = E + E->C + C->T + t * L.
// B rises only if E + E->J + J->B > N->B for some E. If the largest E does not exceed multihit_mark, that
// never happened. J loops may also cost more than t, which makes second hits pay less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "plan7/raised_scores.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Smallest and largest emission score of a node over all residue codes, raised and reduced by t.
struct EmissionRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// The special transitions of a single-hit model, and bounds on the gain of its paths; 1/1000 bit.
struct SingleHitModel {
  int nodes = 0;
  std::int32_t loop = 0;           ///< t, added for every residue
  std::int32_t begin = 0;          ///< B, the same in every row
  std::int64_t exit = 0;           ///< E->C + C->T
  std::int64_t multihit_mark = 0;  ///< above this E, a second hit may pay
  bool multihit = false;           ///< whether J can be reached at all
  PathGain gain;                   ///< of paths up to E

  std::vector<EmissionRange> match, insert;  ///< node-indexed, 1..M and 1..M-1

  /// Whether 32-bit sums suffice for sequences of this length.
  bool fits(std::size_t length) const {
    return gain(length) <= kHighestGain &&
           static_cast<std::int64_t>(length) * std::abs(std::int64_t{loop}) <= 2 * kImpossible;
  }
  /// The score of a sequence whose largest E is `e`; nothing if 32-bit sums may have overflowed or if a
  /// raised score may be part of it.
  std::optional<std::int32_t> score(std::int64_t e, std::size_t length) const {
    if (!fits(length) || e <= gain(length) - kImpossible) return std::nullopt;
    return static_cast<std::int32_t>(e + exit + static_cast<std::int64_t>(length) * loop);
  }
};

/// Returns the single-hit form, or nothing if N and C loops differ or J loops cost less, if a special step
/// that every path needs is impossible, or if a score is too high for 32-bit sums.
std::optional<SingleHitModel> reduce_to_single_hit(const ScoreModel& model);

}  // namespace gpuhmm
