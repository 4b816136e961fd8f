// Tiles of a Viterbi matrix; see the header. All loops over nodes but that of the deletes are free of carried
// dependences, so that the compiler vectorises them.
#include "align/tile_cells.hpp"

#include <algorithm>

#include "plan7/vector_clones.hpp"

namespace gpuhmm::grid {

namespace {

using Scores = const std::int32_t*;

// The scores of the nodes of a tile, from its first node on.
struct TileScores {
  Scores mm, mi, md, im, ii, dm, dd, begin;
};

// One row of a tile. Q ("onward") is what a node hands to the next match.
struct TileRow {
  std::size_t places;
  Scores match_emission, insert_emission;
  std::int32_t begin;       // B of the row before
  std::int32_t handed_on;   // Q of the node below the tile, row before
  std::int32_t entering;    // D of the first node
  std::int32_t* onward;     // Q of the row before, then of this one; [-1] is that of the node below
  std::int32_t* inserting;  // I of this row without its emission, then of the next one
  std::int32_t* opening;    // work space: the way from M of the node before into D
  std::int32_t *match, *insert, *del;
};

GPUHMM_VECTOR_CLONES
void fill_row(const TileScores& t, const TileRow& r) {
  Scores mm = t.mm, mi = t.mi, md = t.md, im = t.im, ii = t.ii, dm = t.dm, dd = t.dd, bs = t.begin;
  Scores em = r.match_emission, ei = r.insert_emission;
  std::int32_t *q = r.onward, *in = r.inserting, *open = r.opening;
  std::int32_t *m = r.match, *ins = r.insert, *del = r.del;
  const std::size_t places = r.places;
  const std::int32_t b = r.begin;
  q[-1] = r.handed_on;
  GPUHMM_INDEPENDENT_ITERATIONS
  for (std::size_t w = 0; w < places; ++w) {
    m[w] = std::max(q[static_cast<std::ptrdiff_t>(w) - 1], b + bs[w]) + em[w];
    ins[w] = in[w] + ei[w];
    open[w] = m[w] + md[w];
  }
  std::int32_t last = r.entering;
  del[0] = last;
  for (std::size_t w = 1; w < places; ++w) {
    last = std::max(last + dd[w - 1], open[w - 1]);
    del[w] = last;
  }
  GPUHMM_INDEPENDENT_ITERATIONS
  for (std::size_t w = 0; w < places; ++w) {
    q[w] = std::max(std::max(m[w] + mm[w], ins[w] + im[w]), del[w] + dm[w]);
    in[w] = std::max(m[w] + mi[w], ins[w] + ii[w]);
  }
}

}  // namespace

TileCells::TileCells(const GridModel& model, const Track& track, TileSpace& space)
    : model_(model), track_(track), space_(space), stride_(model.vectors()) {
  space_.cells.resize(kTileRows * 3 * stride_);
  space_.onward.resize(stride_ + 1);
  space_.inserting.resize(stride_);
  space_.opening.resize(stride_);
}

void TileCells::compute(std::size_t i, std::size_t k) {
  const ScoreGrid& grid = track_.grid;
  const std::size_t lanes = model_.lanes();
  const std::size_t tile = (i - 1) / kTileRows;
  const std::size_t lane = (k - 1) / stride_;
  const std::size_t above = tile * kTileRows;  // row
  first_row_ = above + 1;
  first_node_ = lane * stride_ + 1;
  rows_ = i - above;
  places_ = k - first_node_ + 1;

  std::int32_t* onward = space_.onward.data() + 1;
  std::int32_t* inserting = space_.inserting.data();
  const std::int32_t* kept = grid.kept_row(tile) + lane;
  const std::int32_t entered = grid.entering(above)[lane];
  for (std::size_t w = 0; w < places_; ++w, kept += 2 * lanes) {
    const std::size_t node = first_node_ + w;
    onward[w] = std::max(kept[0], entered + model_.carried[node]) - model_.onward_potential[node];
    inserting[w] = kept[lanes] - model_.insert_potential[node];
  }
  const auto from = [&](const std::vector<std::int32_t>& scores) { return scores.data() + first_node_; };
  const TileScores scores{from(model_.mm), from(model_.mi), from(model_.md), from(model_.im),
                          from(model_.ii), from(model_.dm), from(model_.dd), from(model_.begin)};
  const std::size_t columns = model_.begin.size();
  const std::int32_t below = model_.onward_potential[first_node_ - 1];
  const std::int32_t first_delete = model_.delete_potential[first_node_];
  // As in the sweep.
  const std::int32_t lowest_begin = static_cast<std::int32_t>(-3 * simd::kImpossible);
  for (std::size_t row = 0; row < rows_; ++row) {
    const std::size_t before = above + row;
    const std::size_t emission = track_.residues[before] * columns + first_node_;
    std::int32_t* match = space_.cells.data() + row * 3 * stride_;
    fill_row(scores, {places_, model_.match.data() + emission, model_.insert.data() + emission,
                      std::max(grid.special(before).b, lowest_begin),
                      lane > 0 ? grid.handed_on(before)[lane - 1] - below : model_.striped.floor,
                      grid.entering(before + 1)[lane] - first_delete, onward, inserting,
                      space_.opening.data(), match, match + stride_, match + 2 * stride_});
  }
}

int TileCells::exit_node(const ScoreModel& model, std::int64_t i) {
  const std::int32_t e = special(i).e;
  const std::int32_t* leaving = track_.grid.leaving(static_cast<std::size_t>(i));
  for (std::size_t lane = model_.lanes(); lane-- > 0;) {
    if (leaving[lane] != e) continue;
    const auto lowest = static_cast<int>(lane * stride_);
    for (int k = std::min(model.nodes, static_cast<int>((lane + 1) * stride_)); k > lowest; --k) {
      if (e == std::int64_t{match(i, k)} + model.end[k]) return k;
    }
  }
  return 0;
}

}  // namespace gpuhmm::grid
