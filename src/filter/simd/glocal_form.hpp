// A glocal model (begin at node 1 or through deletes, end likewise), re-based for the glocal kernel.
//
// M -> D and D -> D are free, and so is the way out of the model through deletes: D~ is a running maximum of
// the M~ below, and the largest M~ is E but for the rounding of the folded end scores. B enters M_1 directly
// and all other nodes through deletes, where it is a constant of D~. The folded begin and end scores are
// rounded apart from the delete path, so the largest difference is added once at each end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "plan7/rebased_model.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm::simd {

/// What lower transitions are raised to: -30 bits.
inline constexpr std::int64_t kCheapestImpossible = -30'000;

/// The re-based model in 1/1000 bit. Paths score as much as in the model, but for what begins and ends differ
/// from the delete paths that they stand for.
struct GlocalForm : RebasedModel {
  GlocalForm(const ScoreModel& model, const SingleHitModel& single);

  std::int64_t direct_begin = 0;                   ///< Q~_0
  std::optional<std::int64_t> deletes_from_begin;  ///< D~ that B gives in every row; none if it gives none
  std::int64_t begin_slack = 0;  ///< the most by which a begin through deletes comes out too high
  std::int64_t end_slack = 0;    ///< the most by which an end through deletes comes out too low ...
  std::int64_t end_excess = 0;   ///< ... and too high

  /// Whether begins and ends are made through deletes alone, so that the largest M~ is close to E.
  bool glocal() const;
};

/// GlocalForm::glocal.
bool is_glocal(const ScoreModel& model, const SingleHitModel& single);

}  // namespace gpuhmm::simd
