// Tiles of a Viterbi matrix; see the header. All loops over nodes but that of the deletes are free of carried
// dependences, so that the compiler vectorises them.
#include "align/tile_cells.hpp"

#include <algorithm>

#include "plan7/vector_clones.hpp"

namespace gpuhmm::grid {

namespace {

using Scores = const std::int32_t*;

constexpr auto kFloor = static_cast<std::int32_t>(kGridFloor);

// Places of a tile at least, where there are so many nodes: several lanes make one tile if they are narrow.
constexpr std::size_t kNarrowestTile = 16;

// A tile to be computed. Pointers to scores and cells are to those of its first node. Q ("onward") is what a
// node hands to the next match.
struct Tile {
  std::size_t rows, places, stride;
  std::size_t padded;  // places, filled up to whole vectors; what lies behind the last place is arbitrary
  Scores mm, mi, md, im, ii, dm, dd, begin;
  Scores match_emission, insert_emission;  // of residue code 0
  std::size_t emission_stride;             // from code to code
  const std::uint8_t* residues;            // those of the rows
  const TileEdge* edge;                    // of the rows
  std::int32_t* onward;                    // Q of the row above, changes; [-1] is that of the node below
  std::int32_t* inserting;                 // I of the first row without its emission, changes
  std::int32_t* opening;                   // work space: from M of a node into D of the next one
  std::int32_t* cells;                     // [row][M, I, D][stride]
};

GPUHMM_VECTOR_CLONES
void fill_tile(const Tile& t) {
  Scores mm = t.mm, mi = t.mi, md = t.md, im = t.im, ii = t.ii, dm = t.dm, dd = t.dd, bs = t.begin;
  std::int32_t *q = t.onward, *in = t.inserting, *open = t.opening;
  const std::size_t places = t.places;
  const std::size_t padded = t.padded;
  for (std::size_t row = 0; row < t.rows; ++row) {
    const std::size_t emission = t.residues[row] * t.emission_stride;
    Scores em = t.match_emission + emission, ei = t.insert_emission + emission;
    std::int32_t* m = t.cells + row * 3 * t.stride;
    std::int32_t* ins = m + t.stride;
    std::int32_t* del = ins + t.stride;
    const std::int32_t b = t.edge[row].begin;
    q[-1] = t.edge[row].handed_on;
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t w = 0; w < padded; ++w) {
      m[w] = std::max(q[static_cast<std::ptrdiff_t>(w) - 1], b + bs[w]) + em[w];
      ins[w] = in[w] + ei[w];
      open[w] = m[w] + md[w];
    }
    std::int32_t last = t.edge[row].entering;
    del[0] = last;
    for (std::size_t w = 1; w < places; ++w) {
      last = std::max(last + dd[w - 1], open[w - 1]);
      del[w] = last;
    }
    std::fill(del + places, del + padded, kFloor);
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t w = 0; w < padded; ++w) {
      q[w] = std::max(std::max(m[w] + mm[w], ins[w] + im[w]), del[w] + dm[w]);
      in[w] = std::max(m[w] + mi[w], ins[w] + ii[w]);
    }
  }
}

std::size_t whole_vectors(std::size_t places) { return (places + kTilePad - 1) / kTilePad * kTilePad; }

}  // namespace

TileCells::TileCells(const GridModel& model, const Track& track, TileSpace& space)
    : model_(model),
      track_(track),
      space_(space),
      tile_lanes_((kNarrowestTile + model.vectors() - 1) / model.vectors()),
      stride_(whole_vectors(tile_lanes_ * model.vectors())) {
  space_.cells.resize(kTileRows * 3 * stride_);
  space_.onward.resize(stride_ + 1);
  space_.inserting.resize(stride_);
  space_.opening.resize(stride_);
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

  std::int32_t* onward = space_.onward.data() + 1;
  std::int32_t* inserting = space_.inserting.data();
  for (std::size_t w = 0; w < places_; ++w) {
    const std::size_t node = first_node_ + w;
    const std::size_t node_lane = lane + w / vectors;
    const std::int32_t* kept = grid.kept_row(block) + w % vectors * 2 * lanes + node_lane;
    const std::int32_t through = grid.entering(above)[node_lane] + model_.carried[node];
    onward[w] = std::max(kept[0], through) - model_.onward_potential[node];
    inserting[w] = kept[lanes] - model_.insert_potential[node];
  }
  std::fill(onward + places_, onward + padded, kFloor);
  std::fill(inserting + places_, inserting + padded, kFloor);

  const std::int32_t below = model_.onward_potential[first_node_ - 1];
  const std::int32_t first_delete = model_.delete_potential[first_node_];
  // As in the sweep.
  const std::int32_t lowest_begin = static_cast<std::int32_t>(-3 * simd::kImpossible);
  for (std::size_t row = 0; row < rows_; ++row) {
    space_.edge[row] = {std::max(grid.special(above + row).b, lowest_begin),
                        lane > 0 ? grid.handed_on(above + row)[lane - 1] - below : kFloor,
                        grid.entering(above + row + 1)[lane] - first_delete};
  }
  const auto from = [&](const std::vector<std::int32_t>& scores) { return scores.data() + first_node_; };
  fill_tile({rows_,
             places_,
             stride_,
             padded,
             from(model_.mm),
             from(model_.mi),
             from(model_.md),
             from(model_.im),
             from(model_.ii),
             from(model_.dm),
             from(model_.dd),
             from(model_.begin),
             from(model_.match),
             from(model_.insert),
             model_.columns(),
             track_.residues.data() + above,
             space_.edge.data(),
             onward,
             inserting,
             space_.opening.data(),
             space_.cells.data()});
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

}  // namespace gpuhmm::grid
