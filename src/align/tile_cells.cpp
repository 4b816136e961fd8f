// Recomputes tiles of a Viterbi matrix from the record of a sweep.
#include "align/tile_cells.hpp"

#include <algorithm>

namespace gpuhmm::grid {

namespace {

// Least number of nodes in a tile, if the model has so many: several narrow lanes make one tile.
constexpr std::size_t kNarrowestTile = 16;

std::size_t whole_vectors(std::size_t places) { return (places + kTilePad - 1) / kTilePad * kTilePad; }

}  // namespace

TileCells::TileCells(const GridModel& model, const Track& track, TileSpace& space)
    : model_(model),
      track_(track),
      space_(space),
      tile_lanes_((kNarrowestTile + model.vectors() - 1) / model.vectors()),
      stride_(whole_vectors(tile_lanes_ * model.vectors())) {
  space_.cells.resize(kTileRows * 3 * stride_);
  space_.onward.resize(stride_);
  space_.inserting.resize(stride_);
}

void TileCells::compute(std::size_t i, std::size_t k) {
  const ScoreGrid& grid = track_.grid;
  const std::size_t lanes = model_.lanes();
  const std::size_t vectors = model_.vectors();
  const std::size_t block = (i - 1) / kTileRows;
  const std::size_t lane = (k - 1) / (tile_lanes_ * vectors) * tile_lanes_;
  const std::size_t above = block * kTileRows;  // row
  first_row_ = above + 1;
  first_node_ = lane * vectors + 1;
  rows_ = i - above;
  places_ = k - first_node_ + 1;
  const std::size_t padded = whole_vectors(places_);

  std::int32_t* onward = space_.onward.data();
  std::int32_t* inserting = space_.inserting.data();
  for (std::size_t w = 0; w < places_; ++w) {
    const std::size_t node = first_node_ + w;
    const std::size_t node_lane = lane + w / vectors;
    const std::int32_t* kept = grid.kept_row(block) + w % vectors * 2 * lanes + node_lane;
    const std::int32_t through = grid.entering(above)[node_lane] + model_.lazy_f[node];
    onward[w] = std::max(kept[0], through) - model_.onward_potential[node];
    inserting[w] = kept[lanes] - model_.insert_potential[node];
  }
  std::fill(onward + places_, onward + padded, kNoPathYet);
  std::fill(inserting + places_, inserting + padded, kNoPathYet);

  const std::int32_t below = model_.onward_potential[first_node_ - 1];
  const std::int32_t first_delete = model_.delete_potential[first_node_];
  for (std::size_t row = 0; row < rows_; ++row) {
    space_.edge[row] = {std::max(grid.special(above + row).b, kLowestBegin),
                        lane > 0 ? grid.handed_on(above + row)[lane - 1] - below : kNoPathYet,
                        grid.entering(above + row + 1)[lane] - first_delete};
  }
  const auto from = [&](const std::vector<std::int32_t>& scores) { return scores.data() + first_node_; };
  const auto& runs = model_.delete_runs;
  fill_tile({rows_,
             padded,
             from(model_.mm),
             from(model_.mi),
             from(model_.md),
             from(model_.im),
             from(model_.ii),
             from(model_.dm),
             from(model_.begin),
             {from(runs[0]), from(runs[1]), from(runs[2]), from(runs[3])},
             from(model_.match),
             from(model_.insert),
             model_.columns(),
             track_.residues.data() + above,
             space_.edge.data(),
             onward,
             inserting,
             space_.cells.data(),
             stride_});
}

int TileCells::exit_node(const ScoreModel& model, std::int64_t i) {
  const std::int32_t e = special(i).e;
  const std::int32_t* leaving = track_.grid.leaving(static_cast<std::size_t>(i));
  const std::size_t vectors = model_.vectors();
  for (std::size_t lane = model_.lanes(); lane-- > 0;) {
    if (leaving[lane] != e) continue;
    const auto lowest = static_cast<int>(lane * vectors);
    for (int k = std::min(model.nodes, static_cast<int>((lane + 1) * vectors)); k > lowest; --k) {
      if (e == std::int64_t{match(i, k)} + model.end[k]) return k;
    }
  }
  return 0;
}

int TileCells::first_exit_node(std::int64_t i) {
  int first = 0;
  visit_exit_nodes(i, [&](int k) {
    first = k;
    return false;
  });
  return first;
}

std::vector<int> TileCells::exit_nodes(std::int64_t i) {
  std::vector<int> nodes;
  visit_exit_nodes(i, [&](int k) {
    nodes.push_back(k);
    return true;
  });
  return nodes;
}

template <class Visit>
void TileCells::visit_exit_nodes(std::int64_t i, const Visit& visit) {
  const std::int32_t e = special(i).e;
  const std::int32_t* leaving = track_.grid.leaving(static_cast<std::size_t>(i));
  const std::size_t vectors = model_.vectors();
  for (std::size_t lane = 0; lane < model_.lanes(); ++lane) {
    if (leaving[lane] != e) continue;
    const int highest = std::min(model_.scores.nodes, static_cast<int>((lane + 1) * vectors));
    match(i, highest);  // computes the whole lane at once
    for (int k = static_cast<int>(lane * vectors) + 1; k <= highest; ++k) {
      const bool explains = e == std::int64_t{match(i, k)} + model_.scores.end[static_cast<std::size_t>(k)];
      if (explains && !visit(k)) return;
    }
  }
}

}  // namespace gpuhmm::grid
