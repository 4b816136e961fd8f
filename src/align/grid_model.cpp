// Parameters of alignment on a grid; see the header.
//
// Range: with P = kImpossible all scores are at least -P and the kernel takes B as at least -3 P. Hence,
// without potentials, M >= -5 P, I >= -7 P and D >= -6 P (floors included, which stand for values of -6 P to
// -3 P), and no sum on the way is below -8 P. Potentials lie within -2 P .. P, so nothing gets below -10 P =
// -2e9.
//
// Exactness: a cell or a candidate of the sweep is the score of a real path, or that of a path with raised
// scores (or one that starts at a floor, which is lower still). Let p be the score up to a cell of a best
// path of score S > exact_above, and s = S - p what follows. If the sweep's value of the cell were above p,
// or a candidate that is no real path were equal to p, then that path followed by the same rest would be one
// with a raised score and a total of at least S, which there is none. HMMER's own minus infinities (floored,
// drifting) are lower than raised ones and cannot be equal to p either. So all comparisons of a traceback
// come out as in the full matrix.
#include "align/grid_model.hpp"

#include <algorithm>

#include "simd/instruction_set.hpp"

namespace gpuhmm::grid {

namespace {

std::int32_t raised32(std::int32_t score) { return static_cast<std::int32_t>(simd::raised(score)); }

std::vector<std::int32_t> raised(const std::vector<std::int32_t>& scores) {
  std::vector<std::int32_t> result(scores.size() + kTilePad, 0);
  std::ranges::transform(scores, result.begin(), raised32);
  return result;
}

}  // namespace

GridModel::GridModel(const ScoreModel& score_model)
    : scores(score_model),
      mm(raised(score_model.mm)),
      mi(raised(score_model.mi)),
      md(raised(score_model.md)),
      im(raised(score_model.im)),
      ii(raised(score_model.ii)),
      dm(raised(score_model.dm)),
      dd(raised(score_model.dd)),
      begin(raised(score_model.begin)),
      match(raised(score_model.match)),
      insert(raised(score_model.insert)),
      onward_potential(columns() + 1, 0),
      insert_potential(onward_potential),
      delete_potential(onward_potential),
      carried(columns(), 0),
      striped(simd::StripedShape(score_model.nodes, simd::usual_vector_bytes() / sizeof(std::int32_t)),
              kGridPlanes, simd::scan_steps(simd::usual_vector_bytes() / sizeof(std::int32_t)),
              score_model.code_count(), static_cast<std::int32_t>(-simd::kImpossible),
              static_cast<std::int32_t>(kGridFloor)),
      limits_(simd::multihit_limits(score_model, simd::reduce_to_single_hit(score_model))) {
  for (int k = 1; k < scores.nodes; ++k) {
    onward_potential[k] = raised32(scores.end[k]) - mm[k];
    insert_potential[k] = im[k] + onward_potential[k];
    delete_potential[k] = dm[k] + onward_potential[k];
  }
  score_runs();
  stripe();
}

void GridModel::score_runs() {
  constexpr auto kNone = static_cast<std::int32_t>(-simd::kImpossible);
  for (std::vector<std::int32_t>& run : delete_runs) run.assign(columns() + kTilePad, kNone);
  for (std::size_t k = 2; k < columns(); ++k) delete_runs[0][k] = dd[k - 1];
  for (std::size_t r = 1; r < kDeleteRuns; ++r) {
    const std::size_t half = std::size_t{1} << (r - 1);
    for (std::size_t k = 2 * half + 1; k < columns(); ++k) {
      delete_runs[r][k] = std::max(delete_runs[r - 1][k] + delete_runs[r - 1][k - half], kNone);
    }
  }
}

void GridModel::stripe() {
  const auto nodes = static_cast<std::size_t>(scores.nodes);
  std::vector<std::int64_t> deletes(columns(), 0);  // sum of D -> D from node 1 to node k
  for (std::size_t k = 2; k <= nodes; ++k) deletes[k] = deletes[k - 1] + dd[k - 1];
  // From D~ of one node to that of a later one.
  const auto through = [&](std::size_t from, std::size_t to) {
    const std::int64_t path = std::max(deletes[to] - deletes[from], -simd::kImpossible);
    return static_cast<std::int32_t>(path - delete_potential[from] + delete_potential[to]);
  };
  for (int k = 1; k <= scores.nodes; ++k) {
    const auto node = static_cast<std::size_t>(k);
    const std::int32_t end = raised32(scores.end[k]);
    for (std::size_t x = 0; x < striped.codes; ++x) {
      std::int32_t* emissions = striped.emission(k, x);
      emissions[0] = match[x * columns() + node] + end - onward_potential[k - 1];
      emissions[lanes()] = insert[x * columns() + node];
    }
    striped.transition(k, kBegin) = begin[k] + onward_potential[k - 1];
    striped.transition(k, kMatchInsert) = mi[k] - end + insert_potential[k];
    striped.transition(k, kInsertInsert) = ii[k];
    striped.transition(k, kMatchDelete) = md[k] - end + delete_potential[k + 1];
    striped.transition(k, kDeleteDelete) = dd[k] - delete_potential[k] + delete_potential[k + 1];
    carried[k] = through(striped.shape.lane_start(node), node);
    striped.transition(k, kCarried) = carried[k];
  }
  for (std::size_t lane = 0; lane < lanes(); ++lane) {
    const std::size_t first = lane * vectors() + 1;
    for (std::size_t step = 0; step < simd::scan_steps(lanes()); ++step) {
      const std::size_t distance = std::size_t{1} << step;
      if (lane < distance || first > nodes) continue;
      striped.crossing(step, lane) = through(first - distance * vectors(), first);
    }
  }
}

}  // namespace gpuhmm::grid
