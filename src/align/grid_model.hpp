// A score model in the two forms that alignment on a grid needs: striped over vectors for the sweep, and by
// node for the tiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "filter/simd/multihit.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::grid {

/// Scores of one model for alignment, all of them at least -simd::kImpossible: lower ones are raised to it,
/// in both forms alike. Only for machines with vectors (simd::vector_bytes() > 0).
struct GridModel {
  /// `score_model` must outlive this.
  explicit GridModel(const ScoreModel& score_model);

  const ScoreModel& scores;
  simd::MultihitModel multihit;

  /// Raised scores, indexed by node 0..M as those of ScoreModel.
  std::vector<std::int32_t> mm, mi, md, im, ii, dm, dd, begin;
  std::vector<std::int32_t> match, insert;  ///< [code][node]
  /// From the D that enters the lane of a node, through that node's D, to the next match.
  std::vector<std::int32_t> carried;

  std::size_t lanes() const { return multihit.striped.shape.lanes; }
  /// Nodes in a lane: lane l holds those from l * vectors() + 1 on.
  std::size_t vectors() const { return multihit.striped.shape.vectors; }

  /// Whether the sweep of a sequence of this length stays within 32 bits.
  bool fits(std::size_t length) const { return multihit.fits(length); }
  /// Whether a sequence of this length that fits and got this score was scored exactly, and the cells of its
  /// best paths are exact as well: no path with a raised score gets that far.
  bool proves(std::int64_t score, std::size_t length) const { return score > multihit.exact_above(length); }
};

}  // namespace gpuhmm::grid
