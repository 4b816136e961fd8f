// A score model in the layout of the exact GPU kernels (cl/gpu_tiled.cl, gpu_long.cl, gpu_list.cl), and the
// proof which of their scores are exact.
//
// Scores are re-based along the nodes with free exits from deletes (plan7/rebased_model.hpp) and along the
// rows (plan7/single_hit_model.hpp). The next match is then entered from a plain maximum X = max(M, I, D),
// and
//   M(k) = max(X(k-1), B(k)) + e(k)                 B = N->B + bs, the same in all rows
//   I(k) = P(k) + i(k) + ii                         P = max(I, M + mi - ii) of the previous row
//   D(k+1) = max(M + md, D + dd)
//   E = max over rows and nodes of M + es
// i(k) + ii is one number. P is at most kImpossible above I + ii and M + mi, so that 32-bit sums suffice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan7/raised_scores.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm {

/// Minus infinity in the kernels, 1/1000 bit.
inline constexpr auto kGpuMinusInfinity = static_cast<std::int32_t>(-kImpossible);
/// "No path yet" in the kernels.
inline constexpr std::int32_t kGpuFloor = 4 * kGpuMinusInfinity;
/// Residue codes per node in the emission tables; the last one is padding.
inline constexpr int kGpuCodes = 32;
/// Work-items among which the kernel for long sequences divides the nodes; tables hold a multiple of this
/// many pairs of nodes.
inline constexpr int kGpuChainItems = 32;
/// 32-bit words of a pair of nodes in GpuModel::moves.
inline constexpr int kGpuMoveWords = 12;

/// Pairs of nodes in the tables of a model with `nodes` nodes, a multiple of kGpuChainItems.
int padded_pairs(int nodes);

/// True if the special transitions allow the reduced recurrence: equal loops of N, C and (if J can be
/// reached) J, a possible N->B, E->C and C->T, no score above 1,000 or below -10,000 bits except minus
/// infinity.
bool fits_gpu_kernels(const ScoreModel& model);

/// Tables of the exact kernels, nodes padded with impossible ones.
struct GpuModel {
  /// `model` must satisfy fits_gpu_kernels.
  explicit GpuModel(const ScoreModel& model);

  int pairs;        ///< pairs of nodes of the model
  bool half_words;  ///< match and insert emission (i + ii) share a 32-bit word (all fit in 16 bits, padding
                    ///< is proven harmless); otherwise a word each, minus infinity raised
  std::vector<std::uint32_t> emissions;  ///< half_words: [node][32]; otherwise [node][match, insert][32]
  std::vector<std::int32_t> moves;       ///< [pair][mi-ii md dd B, mi-ii md dd B, es es 0 0]

  SingleHitModel single;
  PathGain any_gain;      ///< upper bound of the gain of any path
  std::int32_t j_mark;    ///< if the best E is above this, J may matter
  std::int32_t j_return;  ///< E->J + J->B - N->B: the rise of B for an E of 0; far below 0 without J

  /// The score of a sequence whose best E is `best`.
  std::int32_t score(std::int32_t best, std::size_t length) const {
    return best + static_cast<std::int32_t>(single.exit) + single.loop * static_cast<std::int32_t>(length);
  }
  /// True if a single-hit best E is that of a real path; otherwise the sequence must be scored in another
  /// way.
  bool proven(std::int32_t best, std::size_t length) const {
    return best > single.gain(length) - kImpossible;
  }
  /// The same for the best E of the multihit kernel, which counts loops relative to N->N.
  bool proven_multihit(std::int32_t best, std::size_t length) const {
    return best > any_gain(length) + gain_of(-single.loop) * static_cast<std::int64_t>(length) - kImpossible;
  }
};

}  // namespace gpuhmm
