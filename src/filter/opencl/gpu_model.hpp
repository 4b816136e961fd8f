// A score model as the exact GPU kernels (cl/gpu_tiled.cl, gpu_long.cl, gpu_list.cl) read it: re-based so
// that a cell costs as few operations as possible, and the proof which of their answers are exact.
//
// Re-basing. Constants mm(k), im(k) and dm(k) are added to the match, insert and delete scores of node k.
// What enters the next match is then a plain maximum X = max(M, I, D), and
//   M(k) = max(X(k-1), B(k)) + e(k)                 e = em + mm        B = N->B + bs
//   I(k) = P(k) + i(k)                              P = max(I + ii, M + mi) of the row above, shifted
//   D(k+1) = max(M + md, D + dd)                    shifted likewise
//   E = max over rows and nodes of M + es           es shifted by -mm
// The N loop (equal to the C and J loops, a condition) is taken off every emission, so that B is the same in
// all rows and the best E of all rows decides. This is exact in integers; only minus infinity is clamped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Clamp of minus infinity, 1/1000 bit. Sums of at most seven of them arise (see gpu_model.cpp).
inline constexpr std::int32_t kGpuMinusInfinity = -200'000'000;
/// "No path yet" in the kernels.
inline constexpr std::int32_t kGpuFloor = 4 * kGpuMinusInfinity;
/// Residue codes per node in the emission tables; the last one is padding.
inline constexpr int kGpuCodes = 32;
/// Lanes over which the kernel for long sequences spreads the nodes; tables hold a multiple of this many
/// pairs.
inline constexpr int kGpuLanes = 32;
/// 32-bit words of a pair of nodes in GpuModel::moves.
inline constexpr int kGpuMoveWords = 12;

/// Pairs of nodes in the tables of a model of `nodes` nodes, a multiple of kGpuLanes.
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
  bool half_words;  ///< match and insert emission share a 32-bit word (all fit in 16 bit, padding is proven
                    ///< harmless); otherwise a word each, minus infinity clamped
  std::vector<std::uint32_t> emissions;  ///< half_words: [node][32]; otherwise [node][match, insert][32]
  std::vector<std::int32_t> moves;       ///< [pair][mi ii md dd, mi ii md dd, B B es es]

  std::int32_t exit;      ///< E->C plus C->T
  std::int32_t row;       ///< N loop: the score is the kernel's best E + exit + length * row
  std::int32_t j_mark;    ///< a best E above this: J may have mattered
  std::int32_t j_return;  ///< E->J + J->B - N->B: the rise of B for an E of 0; far below 0 without J
  std::int64_t gain;      ///< no single-hit path gains more than gain + length * gain_per_residue
  std::int64_t gain_per_residue;
  std::int64_t multihit_gain_per_residue;  ///< the same for any path, per residue

  std::int32_t score(std::int32_t best, std::size_t length) const {
    return best + exit + row * static_cast<std::int32_t>(length);
  }
  /// True if a single-hit best E is that of a real path; otherwise the sequence must be computed elsewhere.
  bool proven(std::int32_t best, std::size_t length) const {
    return best > kGpuMinusInfinity + gain + gain_per_residue * static_cast<std::int64_t>(length);
  }
  /// The same for the best E of the multihit kernel.
  bool proven_multihit(std::int32_t best, std::size_t length) const {
    return best > kGpuMinusInfinity + gain + multihit_gain_per_residue * static_cast<std::int64_t>(length);
  }
};

}  // namespace gpuhmm
