// Builds both forms of the model.
//
// Range: that of rebased_model.hpp, since the kernel takes B as at least kLowestBegin.
//
// Exactness: a cell or a candidate of the sweep is the score of a real path, or that of a path with raised
// scores (or of one that starts at a floor, which is lower still). Let p be the score up to a cell of a best
// path of score S > exact_above, and s = S - p the score of the rest. If the sweep's value of the cell were
// above p, or a candidate that belongs to no real path were equal to p, then the path with that value,
// continued by the same rest, would have a raised score and a total of at least S; no such path exists.
// HMMER's own minus infinities (floored, drifting) are lower than raised ones and cannot equal p either. So
// all comparisons of a traceback have the same results as in the full matrix.
#include "align/grid_model.hpp"

#include <algorithm>

#include "filter/simd/delete_paths.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm::grid {

namespace {

std::int32_t narrow(std::int64_t score) { return static_cast<std::int32_t>(score); }

std::vector<std::int32_t> narrowed(const std::vector<std::int64_t>& scores) {
  std::vector<std::int32_t> result(scores.size());
  std::ranges::transform(scores, result.begin(), narrow);
  return result;
}

std::vector<std::int32_t> raised_scores(const std::vector<std::int32_t>& scores) {
  std::vector<std::int32_t> result(scores.size() + kTilePad, 0);
  std::ranges::transform(scores, result.begin(), [](std::int32_t score) { return narrow(raised(score)); });
  return result;
}

}  // namespace

GridModel::GridModel(const ScoreModel& score_model, std::size_t lanes)
    : GridModel(score_model, RebasedModel(score_model, FreeSteps::Ends), lanes) {}

GridModel::GridModel(const ScoreModel& score_model, const RebasedModel& rebased, std::size_t lanes)
    : scores(score_model),
      mm(raised_scores(score_model.mm)),
      mi(raised_scores(score_model.mi)),
      md(raised_scores(score_model.md)),
      im(raised_scores(score_model.im)),
      ii(raised_scores(score_model.ii)),
      dm(raised_scores(score_model.dm)),
      begin(raised_scores(score_model.begin)),
      match(raised_scores(score_model.match)),
      insert(raised_scores(score_model.insert)),
      onward_potential(narrowed(rebased.onward_potential)),
      insert_potential(narrowed(rebased.insert_potential)),
      delete_potential(narrowed(rebased.delete_potential)),
      lazy_f(columns(), 0),
      striped(simd::StripedShape(score_model.nodes, lanes), kGridPlanes, simd::scan_steps(lanes),
              score_model.code_count(), narrow(-kImpossible), kNoPathYet),
      limits_(simd::multihit_limits(score_model, reduce_to_single_hit(score_model))) {
  const simd::DeletePaths deletes(score_model);
  for (std::size_t r = 0; r < kDeleteRuns; ++r) {
    const std::size_t length = std::size_t{1} << r;
    delete_runs[r].assign(columns() + kTilePad, narrow(-kImpossible));
    for (std::size_t k = length + 1; k < columns(); ++k) {
      delete_runs[r][k] = narrow(deletes.between(k - length, k));
    }
  }
  stripe(rebased);
}

void GridModel::stripe(const RebasedModel& rebased) {
  const simd::DeletePaths deletes(scores, rebased.delete_potential);
  for (int k = 1; k <= scores.nodes; ++k) {
    const auto node = static_cast<std::size_t>(k);
    for (std::size_t x = 0; x < striped.codes; ++x) {
      std::int32_t* emissions = striped.emission(k, x);
      emissions[0] = narrow(match[x * columns() + node] + rebased.match_shift[node]);
      emissions[lanes()] = insert[x * columns() + node];
    }
    lazy_f[node] = narrow(deletes.between(striped.shape.lane_start(node), node));
    striped.transition(k, kBegin) = narrow(rebased.begin[node]);
    striped.transition(k, kMatchInsert) = narrow(rebased.mi[node]);
    striped.transition(k, kInsertInsert) = narrow(rebased.ii[node]);
    striped.transition(k, kMatchDelete) = narrow(rebased.md[node]);
    striped.transition(k, kDeleteDelete) = narrow(rebased.dd[node]);
    striped.transition(k, kLazyF) = lazy_f[node];
  }
  for_each_crossing(striped.shape, [&](std::size_t step, std::size_t lane, std::size_t from, std::size_t to) {
    striped.crossing(step, lane) = narrow(deletes.between(from, to));
  });
}

}  // namespace gpuhmm::grid
