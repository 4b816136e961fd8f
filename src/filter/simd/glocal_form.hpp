// A glocal model (begin at node 1 or through deletes, end at node M or through deletes), re-based for the
// glocal kernel.
//
// M -> D, D -> D and the end through deletes cost nothing: D~ is a running maximum of the M~ of earlier
// nodes, and the largest M~ is E except for the rounding of the folded end scores. B enters M_1 directly and
// all other nodes through deletes, where it gives D~ a constant value. The folded begin and end scores are
// not rounded like the delete path, so the largest difference is added once at each end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "plan7/rebased_model.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm::simd {

/// Lower transitions are raised to this score: -30 bits.
inline constexpr std::int64_t kCheapestImpossible = -30'000;

/// The re-based model in 1/1000 bit. Paths have the same scores as in the model, except for the differences
/// between begins or ends and the delete paths that they stand for.
struct GlocalForm : RebasedModel {
  GlocalForm(const ScoreModel& model, const SingleHitModel& single);

  std::int64_t direct_begin = 0;                   ///< Q~_0
  std::optional<std::int64_t> deletes_from_begin;  ///< D~ that B gives in every row, if any
  std::int64_t begin_slack = 0;                    ///< the most by which a begin through deletes is too high
  std::int64_t end_slack = 0;                      ///< the most by which an end through deletes is too low
  std::int64_t end_excess = 0;                     ///< the most by which an end through deletes is too high

  /// Whether the model begins and ends only through deletes, so that the largest M~ is close to E.
  bool glocal() const;
};

/// GlocalForm::glocal of the model.
bool is_glocal(const ScoreModel& model, const SingleHitModel& single);

}  // namespace gpuhmm::simd
