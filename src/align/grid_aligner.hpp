// Alignment by a vectorised sweep that keeps a sparse record, and a walk through tiles computed from it.
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

/// Same answers as a ViterbiMatrix. What the sweep cannot prove exact (very long sequences, scores near minus
/// infinity) does go through one. One object a thread.
class GridAligner : public FullAligner {
 public:
  /// `model` was made from `profile`; both must outlive this.
  GridAligner(const GridModel& model, const Profile& profile) : model_(model), profile_(profile) {}

  std::int32_t score(std::span<const std::uint8_t> residues) override;
  std::optional<Trace> trace() override;
  SegmentParse parse(std::span<const std::uint8_t> residues, std::int32_t lowest_traced) override;

  /// As `first`.score(longer) and `second`.score(shorter), but side by side, which is faster. The aligners
  /// are for the same model.
  static void score_both(GridAligner& first, std::span<const std::uint8_t> longer, GridAligner& second,
                         std::span<const std::uint8_t> shorter);
  /// Of the sequence scored last: its score, and whether the sweep could prove it.
  std::int32_t last_score() const { return score_; }
  bool by_sweep() const { return proven_; }

 private:
  void settle();

  const GridModel& model_;
  const Profile& profile_;
  Track track_;
  TileSpace space_;
  ViterbiMatrix matrix_;
  bool proven_ = false;  // the track is exact; else the matrix has been filled
  std::int32_t score_ = 0;
};

}  // namespace gpuhmm::grid
