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
  std::optional<Trace> segment(const DomainSpan& span, SegmentMethod method) override;

  /// Whether a sequence of this length can be swept by itself and recorded as a whole.
  static bool records(const GridModel& model, std::size_t length);
  /// Sweeps two sequences side by side, faster than one after the other: the next score() or parse() of each
  /// aligner, with the same residues, uses that. Both aligners must use the same model, which must record
  /// both sequences.
  static void sweep_both(GridAligner& first, std::span<const std::uint8_t> longer, GridAligner& second,
                         std::span<const std::uint8_t> shorter);
  /// Whether the sweep proved the score of the last sequence.
  bool by_sweep() const { return swept_ && model_.proves(track_.score, track_.residues.size()); }

 private:
  bool swept_ahead(std::span<const std::uint8_t> residues);
  void sweep_alone(std::span<const std::uint8_t> residues);
  std::optional<Trace> segment_by_record(const DomainSpan& span, SegmentMethod method);

  const GridModel& model_;
  const Profile& profile_;
  Track track_;
  TileSpace space_;
  ViterbiMatrix matrix_;
  bool ahead_ = false;      // swept by sweep_both() and not yet used
  bool swept_ = false;      // the track holds the whole record of its residues
  bool by_record_ = false;  // the sequence parsed last was parsed from the track
  std::span<const std::uint8_t> scored_, parsed_;
};

}  // namespace gpuhmm::grid
