// Makes single-hit parameters for exact scores in 32 and 16 bits.
//
// Why 32 bits are enough is proved in rebased_model.hpp, since B is at least -P in every row.
#include <algorithm>
#include <limits>

#include "filter/simd/delete_paths.hpp"
#include "filter/simd/exact16_range.hpp"
#include "filter/simd/same_inserts.hpp"
#include "filter/simd/striped_model.hpp"

namespace gpuhmm::simd {

namespace {

// Match emission of the padding behind the last node: keeps its M~ below every E that counts as exact.
constexpr std::int64_t kPadding32 = -6 * kImpossible;

template <class T>
T lane_value(std::int64_t value) {
  return static_cast<T>(
      std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

std::size_t transition_planes(LazyFRule rule) { return rule == LazyFRule::Always ? kLazyF + 1 : kLazyF; }

// Writes the emissions of all nodes: match scores - t + the node's shift, insert scores - t.
template <class T>
void fill_emissions(StripedModel<T>& striped, const ScoreModel& model, const SingleHitModel& single,
                    const RebasedModel& rebased) {
  for (std::size_t x = 0; x < striped.codes; ++x) {
    const auto match = model.match_row(static_cast<int>(x));
    const auto insert = model.insert_row(static_cast<int>(x));
    for (int k = 1; k <= model.nodes; ++k) {
      T* scores = striped.emission(k, x);
      scores[0] = lane_value<T>(raised(match[k]) - single.loop + rebased.match_shift[k]);
      if (k < model.nodes) scores[striped.shape.lanes] = lane_value<T>(raised(insert[k]) - single.loop);
    }
  }
}

// Writes all parameters; `zero` is subtracted from scores that are levels, not differences.
template <class T>
void fill_single_hit(StripedModel<T>& striped, const ScoreModel& model, const SingleHitModel& single,
                     const RebasedModel& rebased, const DeletePaths& deletes, LazyFRule rule,
                     std::int64_t zero) {
  const StripedShape& shape = striped.shape;
  fill_emissions(striped, model, single, rebased);
  for (int k = 1; k <= model.nodes; ++k) {
    striped.transition(k, kEntry) = lane_value<T>(single.begin + rebased.begin[k] - zero);
    striped.transition(k, kMatchInsert) = lane_value<T>(rebased.mi[k]);
    striped.transition(k, kInsertInsert) = lane_value<T>(rebased.ii[k]);
    striped.transition(k, kMatchDelete) = lane_value<T>(rebased.md[k]);
    striped.transition(k, kDeleteDelete) = lane_value<T>(rebased.dd[k]);
    if (rule == LazyFRule::WhenUseful) continue;
    const auto node = static_cast<std::size_t>(k);
    striped.transition(k, kLazyF) = lane_value<T>(deletes.between(shape.lane_start(node), node));
  }
  for_each_crossing(shape, [&](std::size_t step, std::size_t lane, std::size_t from, std::size_t to) {
    striped.crossing(kScanWeights + step, lane) = lane_value<T>(deletes.between(from, to));
  });
  const std::vector<std::int64_t> harmless = harmless_deletes(single, rebased);
  for (std::size_t lane = 0; lane < shape.lanes; ++lane) {
    const std::size_t node = std::min(lane * shape.vectors + 1, harmless.size() - 1);
    striped.crossing(kHarmless, lane) = lane_value<T>(harmless[node] - zero);
  }
}

// Deletes begin with `first`, and pass from the last node to the padding without a score.
void let_deletes_fit(StripedModel<std::int16_t>& striped, int nodes, std::int64_t first) {
  striped.deletes_fit = true;
  striped.first_d = static_cast<std::int16_t>(first);
  for (int k = nodes; k <= static_cast<int>(striped.shape.places()); ++k) {
    striped.transition(k, kMatchDelete) = striped.transition(k, kDeleteDelete) = 0;
  }
}

}  // namespace

LevelledModel<std::int32_t> stripe_exact32(const ScoreModel& model, const SingleHitModel& single,
                                           LazyFRule rule, const StripedShape& shape) {
  const RebasedModel rebased(model, FreeSteps::Ends);
  LevelledModel<std::int32_t> levelled{
      {kScaleOne, 0, single.multihit_mark},
      StripedModel<std::int32_t>(shape, transition_planes(rule), kScanWeights + scan_steps(shape.lanes),
                                 model.code_count(), lane_value<std::int32_t>(-kImpossible), kNoPathYet)};
  for (std::size_t k = static_cast<std::size_t>(model.nodes) + 1; k <= shape.places(); ++k) {
    for (std::size_t x = 0; x < levelled.striped.codes; ++x) {
      *levelled.striped.emission(static_cast<int>(k), x) = lane_value<std::int32_t>(kPadding32);
    }
  }
  fill_single_hit(levelled.striped, model, single, rebased, DeletePaths(model, rebased.delete_potential),
                  rule, 0);
  return levelled;
}

std::int64_t useful_mark(const SingleHitModel& single) {
  constexpr std::int64_t kBelow = 4000;
  return std::min(single.multihit_mark, -single.exit) - kBelow;
}

std::optional<LevelledModel<std::int16_t>> stripe_exact16(const ScoreModel& model,
                                                          const SingleHitModel& single, LazyFRule rule,
                                                          const StripedShape& shape, std::int64_t least_mark,
                                                          DeleteSums sums) {
  const RebasedModel rebased(model, FreeSteps::Ends);
  const DeletePaths deletes(model, rebased.delete_potential);
  const Exact16Range saturating(single, rebased), fitting(single, rebased, DeleteSums::Fit);
  const auto highest_exact = [](const Exact16Range& range) { return range.mark() + range.zero(); };
  const bool fit = sums == DeleteSums::Fit && rule == LazyFRule::WhenUseful &&
                   highest_exact(fitting) == highest_exact(saturating) && fitting.exact(shape, deletes);
  const Exact16Range& range = fit ? fitting : saturating;
  if (highest_exact(range) < least_mark || !range.exact(shape, deletes)) return std::nullopt;
  LevelledModel<std::int16_t> levelled{
      {kScaleOne, range.zero(), range.mark()},
      StripedModel<std::int16_t>(shape, transition_planes(rule), kScanWeights + scan_steps(shape.lanes),
                                 model.code_count(), lane_value<std::int16_t>(kLowest16),
                                 lane_value<std::int16_t>(kLowest16))};
  levelled.excess = 0;
  fill_single_hit(levelled.striped, model, single, rebased, deletes, rule, range.zero());
  if (fit) let_deletes_fit(levelled.striped, model.nodes, range.first_delete());
  if (has_same_inserts(model)) {
    for (std::size_t x = 0; x < levelled.striped.codes; ++x) {
      const std::int64_t score = raised(model.insert_row(static_cast<int>(x))[1]);
      levelled.striped.set_insert(x, lane_value<std::int16_t>(score - single.loop));
    }
  }
  return levelled;
}

}  // namespace gpuhmm::simd
