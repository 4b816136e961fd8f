// A score model in the two forms that alignment needs: striped over vectors for the sweep, and by node for
// the tiles.
//
// The sweep computes in re-based scores with free ends (plan7/rebased_model.hpp): E is the largest M~, and
// the transitions from M, I and D to Q are free.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "align/tile_kernel.hpp"
#include "filter/simd/multihit.hpp"
#include "plan7/rebased_model.hpp"
#include "plan7/score_model.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm::grid {

/// Transition planes of the sweep. kLazyF scores the way from the D that enters a lane through the D of this
/// node to its Q. Crossing planes hold the scan weights.
enum GridPlane : std::size_t {
  kBegin,
  kMatchInsert,
  kInsertInsert,
  kMatchDelete,
  kDeleteDelete,
  kLazyF,
  kGridPlanes
};

/// Tiles are computed this many nodes at a time.
inline constexpr std::size_t kTilePad = 8;

/// Scores of one model for alignment. Scores below -kImpossible are raised to it in both forms. The host's
/// lanes are only for machines with SIMD (simd::vector_bytes() > 0).
struct GridModel {
  /// `score_model` must outlive this. `lanes`: those of a vector of the host, or the work-items of a device
  /// that share a sequence.
  explicit GridModel(const ScoreModel& score_model,
                     std::size_t lanes = simd::usual_vector_bytes() / sizeof(std::int32_t));

  const ScoreModel& scores;

  /// Raised scores without potentials, indexed by node 0..M as in ScoreModel, followed by kTilePad zeros.
  std::vector<std::int32_t> mm, mi, md, im, ii, dm, begin;
  std::vector<std::int32_t> match, insert;  ///< [code][node], columns() nodes

  /// Scores from D of the node 1, 2, 4 or 8 below to D of a node, by node, followed by kTilePad zeros.
  std::array<std::vector<std::int32_t>, kDeleteRuns> delete_runs;

  /// Potentials of Q, I (with or without its emission) and D, by node.
  std::vector<std::int32_t> onward_potential, insert_potential, delete_potential;
  /// The scores of plane kLazyF, by node.
  std::vector<std::int32_t> lazy_f;

  simd::StripedModel<std::int32_t> striped;

  std::size_t columns() const { return static_cast<std::size_t>(scores.nodes) + 1; }
  std::size_t lanes() const { return striped.shape.lanes; }
  /// Nodes per lane: lane l holds those from l * vectors() + 1 on.
  std::size_t vectors() const { return striped.shape.vectors; }

  /// Whether the sweep of a sequence of this length stays within 32 bits.
  bool fits(std::size_t length) const { return limits_.fits(length); }
  /// Whether all sums for a sequence of this length stay within 32 bits, provided that after every stretch()
  /// rows no score is above simd::kHighestBetween.
  bool fits_watched(std::size_t length) const { return limits_.fits_watched(length); }
  std::size_t stretch() const { return static_cast<std::size_t>(std::max(limits_.stretch, std::int64_t{0})); }
  /// Whether this score of a sequence of this length, which fits, is exact, and with it the cells of its best
  /// paths: no path with a raised score reaches it.
  bool proves(std::int64_t score, std::size_t length) const { return score > limits_.exact_above(length); }

 private:
  GridModel(const ScoreModel& score_model, const RebasedModel& rebased, std::size_t lanes);

  void stripe(const RebasedModel& rebased);

  simd::MultihitLimits limits_;
};

}  // namespace gpuhmm::grid
