// Aligns sequences by a SIMD sweep that keeps a sparse record of the Viterbi matrix (the grid), and a
// traceback through tiles recomputed from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "align/grid_model.hpp"
#include "align/score_grid.hpp"
#include "align/tile_cells.hpp"
#include "gpuhmm/profile.hpp"
#include "plan7/aligner.hpp"

namespace gpuhmm::grid {

/// Gives the results of a ViterbiMatrix. Sequences that the sweep cannot prove exact (very long ones, scores
/// near minus infinity) are aligned by a ViterbiMatrix. Use one object per thread.
class GridAligner : public FullAligner {
 public:
  /// `model` was made from `profile`; both must outlive this.
  GridAligner(const GridModel& model, const Profile& profile) : model_(model), profile_(profile) {}

  std::int32_t score(std::span<const std::uint8_t> residues) override;
  std::optional<Trace> trace() override;
  SegmentParse parse(std::span<const std::uint8_t> residues, std::int32_t lowest_traced) override;

  /// As `first`.score(longer) and `second`.score(shorter), but faster because side by side. Both aligners
  /// must use the same model.
  static void score_both(GridAligner& first, std::span<const std::uint8_t> longer, GridAligner& second,
                         std::span<const std::uint8_t> shorter);
  /// The score of the last sequence, and whether the sweep proved it.
  std::int32_t last_score() const { return score_; }
  bool by_sweep() const { return proven_; }

 private:
  void decide_score();

  const GridModel& model_;
  const Profile& profile_;
  Track track_;
  TileSpace space_;
  ViterbiMatrix matrix_;
  bool proven_ = false;  // the track is exact; otherwise the matrix has been filled
  std::int32_t score_ = 0;
};

}  // namespace gpuhmm::grid
