// A glocal model (begin at node 1 or through deletes, end likewise) in the potentials of the glocal kernel.
//
// With W_k = dd_k + ... + dd_(M-1), the way from D_k out of the model:
//   D~ = D + W_k          D -> D costs nothing
//   M~ = M + md_k + W_k+1  M -> D costs nothing, M_M~ = M_M: D~ is a running maximum of the M~ below,
//                          and the largest M~ is E but for the rounding of the folded end scores
//   Q~                     so that M -> Q costs nothing; I~ so that I -> Q costs nothing
// B enters M_1 directly and all other nodes through deletes, where it is a constant of D~. The folded begin
// and end scores are rounded apart from the delete path, so the largest difference is added once at each end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "filter/simd/single_hit.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::simd {

/// What lower transitions are raised to: -30 bits.
inline constexpr std::int64_t kCheapestImpossible = -30'000;

inline std::int64_t bounded(std::int32_t score) { return std::max(std::int64_t{score}, kCheapestImpossible); }

/// The re-based model in 1/1000 bit; node-indexed. Paths score as much as in the model, but for what begins
/// and ends differ from the delete paths that they stand for.
struct GlocalForm {
  GlocalForm(const ScoreModel& model, const SingleHitModel& single);

  std::vector<std::int64_t> match_shift, mi, ii, dm;
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
