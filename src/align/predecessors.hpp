// The steps of a traceback through the record of a sweep: which predecessors explain a cell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "align/grid_model.hpp"
#include "align/tile_cells.hpp"

namespace gpuhmm::grid {

/// A cell of a path.
struct Place {
  State state = State::M;
  std::int64_t row = 0;
  int node = 0;
  std::int64_t score = 0;
};

/// The predecessors that explain a cell, in the order in which the small-memory pass prefers them: match,
/// insert, B, delete. None at node 0 or in row 0 of the record, except B.
class Predecessors {
 public:
  /// `place` is an M, I or D without the emission score of its residue; predecessors are in row `row` of the
  /// record. The scores of `cells` must be proven.
  Predecessors(const ScoreModel& model, TileCells& cells, const Place& place, std::int64_t row) {
    const int k = place.node;
    const auto offer = [&](State state, int node, std::int64_t cell, std::int64_t transition) {
      if (cell + transition == place.score) places_[count_++] = {state, row, node, cell};
    };
    switch (place.state) {
      case State::M:
        offer(State::M, k - 1, cells.match(row, k - 1), model.mm[k - 1]);
        offer(State::I, k - 1, cells.insert(row, k - 1), model.im[k - 1]);
        offer(State::B, 0, cells.special(row).b, model.begin[k]);
        offer(State::D, k - 1, cells.del(row, k - 1), model.dm[k - 1]);
        break;
      case State::I:
        offer(State::M, k, cells.match(row, k), model.mi[k]);
        offer(State::I, k, cells.insert(row, k), model.ii[k]);
        break;
      default:
        offer(State::M, k - 1, cells.match(row, k - 1), model.md[k - 1]);
        offer(State::D, k - 1, cells.del(row, k - 1), model.dd[k - 1]);
    }
  }

  std::span<const Place> all() const { return std::span(places_).first(count_); }

 private:
  std::array<Place, 4> places_;
  std::size_t count_ = 0;
};

/// The score of an M or I without the emission of its residue, code x.
inline std::int64_t without_emission(const ScoreModel& model, const Place& place, std::uint8_t x) {
  return place.score - (place.state == State::M ? model.match_row(x) : model.insert_row(x))[place.node];
}

}  // namespace gpuhmm::grid
