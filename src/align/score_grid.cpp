// Allocates the record of a sweep and writes its row 0.
#include "align/score_grid.hpp"

#include "plan7/arithmetic.hpp"

namespace gpuhmm::grid {

void ScoreGrid::start(const GridModel& model, std::size_t length) {
  lanes_ = model.lanes();
  row_size_ = model.vectors() * 2 * lanes_;
  specials_.reserve(length + 1);
  edges_.reserve((length + 1) * 3 * lanes_);
  rows_.reserve((length + kTileRows) / kTileRows * row_size_);
  specials_[0] = {0, kMinusInfinity, kMinusInfinity, model.scores.n_begin, kMinusInfinity};
  std::fill_n(edges_.data(), 3 * lanes_, model.striped.floor);
}

}  // namespace gpuhmm::grid
