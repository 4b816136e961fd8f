// Chooses between the sweep and the full matrix for each sequence.
#include "align/grid_aligner.hpp"

#include <array>
#include <utility>

#include "align/grid_parse.hpp"

namespace gpuhmm::grid {

std::int32_t GridAligner::score(std::span<const std::uint8_t> residues) {
  track_.residues = residues;
  if (model_.fits(residues.size())) sweep(model_, std::array{&track_});
  decide_score();
  return score_;
}

void GridAligner::score_both(GridAligner& first, std::span<const std::uint8_t> longer, GridAligner& second,
                             std::span<const std::uint8_t> shorter) {
  if (!first.model_.fits(longer.size())) {
    first.score(longer);
    second.score(shorter);
    return;
  }
  first.track_.residues = longer;
  second.track_.residues = shorter;
  sweep(first.model_, std::array{&first.track_, &second.track_});
  first.decide_score();
  second.decide_score();
}

void GridAligner::decide_score() {
  const std::size_t length = track_.residues.size();
  proven_ = model_.fits(length) && model_.proves(track_.score, length);
  score_ = proven_ ? static_cast<std::int32_t>(track_.score) : matrix_.fill(model_.scores, track_.residues);
}

std::optional<Trace> GridAligner::trace() {
  if (!proven_) return matrix_.traceback(model_.scores, profile_, track_.residues);
  TileCells cells(model_, track_, space_);
  return ViterbiWalk<TileCells>(cells, model_.scores, profile_, track_.residues).run();
}

SegmentParse GridAligner::parse(std::span<const std::uint8_t> residues, std::int32_t lowest_traced) {
  std::optional<SegmentParse> parse = GridParser(model_, track_, space_).parse(residues, lowest_traced);
  return parse ? std::move(*parse) : parse_segments(model_.scores, residues);
}

}  // namespace gpuhmm::grid
