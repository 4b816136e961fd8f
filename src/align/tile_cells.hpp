// The cells of a Viterbi matrix that a traceback reads, recomputed tile by tile from the record of a sweep.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/grid_model.hpp"
#include "align/score_grid.hpp"
#include "align/tile_kernel.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/viterbi_walk.hpp"

namespace gpuhmm::grid {

/// Work space for tiles, reused for the next sequence.
struct TileSpace {
  std::array<TileEdge, kTileRows> edge;  ///< by row
  std::vector<std::int32_t> cells;       ///< [row][M, I, D][node]
  std::vector<std::int32_t> onward, inserting;
};

/// Cells for ViterbiWalk. If the model proves the track's score, cells on best paths are exact, and all other
/// cells differ from any value that would tie with them.
class TileCells {
 public:
  /// All arguments must outlive this.
  TileCells(const GridModel& model, const Track& track, TileSpace& space);

  std::int32_t match(std::int64_t i, int k) { return cell(0, i, k); }
  std::int32_t insert(std::int64_t i, int k) { return cell(1, i, k); }
  std::int32_t del(std::int64_t i, int k) { return cell(2, i, k); }
  const SpecialScores& special(std::int64_t i) const {
    return track_.grid.special(static_cast<std::size_t>(i));
  }
  int exit_node(const ScoreModel& model, std::int64_t i);
  /// The smallest node that explains E of row i; 0 if there is none.
  int first_exit_node(std::int64_t i);
  /// All nodes that explain E of row i, in rising order.
  std::vector<int> exit_nodes(std::int64_t i);

 private:
  std::int32_t cell(std::size_t state, std::int64_t i, int k) {
    if (i == 0 || k == 0) return kMinusInfinity;
    // Both wrap to large numbers before the tile.
    std::size_t row = static_cast<std::size_t>(i) - first_row_;
    std::size_t place = static_cast<std::size_t>(k) - first_node_;
    if (row >= rows_ || place >= places_) {
      compute(static_cast<std::size_t>(i), static_cast<std::size_t>(k));
      row = static_cast<std::size_t>(i) - first_row_;
      place = static_cast<std::size_t>(k) - first_node_;
    }
    return space_.cells[(row * 3 + state) * stride_ + place];
  }

  // Calls visit(node) for the nodes that explain E of row i, in rising order, until it returns false.
  template <class Visit>
  void visit_exit_nodes(std::int64_t i, const Visit& visit);

  /// Computes the tile of cell (i, k) up to that row and node.
  void compute(std::size_t i, std::size_t k);

  const GridModel& model_;
  const Track& track_;
  TileSpace& space_;
  std::size_t tile_lanes_;  // lanes in a tile
  std::size_t stride_;
  std::size_t first_row_ = 1, rows_ = 0;     // of the current tile, its computed part
  std::size_t first_node_ = 1, places_ = 0;  // likewise
};

}  // namespace gpuhmm::grid
