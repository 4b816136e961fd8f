// Reduction and re-basing of score models; see the header.
#include "filter/simd/single_hit.hpp"

#include <algorithm>
#include <limits>

#include "plan7/arithmetic.hpp"

namespace gpuhmm::simd {

namespace {

// No score may be above this, so that sums of a few of them stay far from the ends of 32 bits.
constexpr std::int32_t kHighestScore = 50'000'000;

bool possible(std::int32_t score) { return score > -kImpossible; }

bool in_range(const ScoreModel& model) {
  const auto low_enough = [](const std::vector<std::int32_t>& scores) {
    return std::ranges::all_of(scores, [](std::int32_t s) { return s <= kHighestScore; });
  };
  for (const auto* scores : {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd,
                             &model.begin, &model.end, &model.match, &model.insert}) {
    if (!low_enough(*scores)) return false;
  }
  for (const std::int32_t s : {model.n_begin, model.e_to_c, model.e_to_j, model.c_end, model.j_begin}) {
    if (s > kHighestScore) return false;
  }
  return std::abs(model.n_loop) <= kHighestScore;
}

std::vector<EmissionRange> emission_ranges(const ScoreModel& model, const std::vector<std::int32_t>& table,
                                           std::int32_t loop) {
  const std::size_t places = static_cast<std::size_t>(model.nodes) + 1;
  std::vector<std::int32_t> low(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(places));
  std::vector<std::int32_t> high = low;
  for (std::size_t first = places; first < table.size(); first += places) {
    for (std::size_t k = 0; k < places; ++k) {
      low[k] = std::min(low[k], table[first + k]);
      high[k] = std::max(high[k], table[first + k]);
    }
  }
  std::vector<EmissionRange> ranges(places);
  for (std::size_t k = 0; k < places; ++k) ranges[k] = {raised(low[k]) - loop, raised(high[k]) - loop};
  return ranges;
}

// A path visits a node at most once, save for its insert loop.
void bound_gains(const ScoreModel& model, SingleHitModel& single) {
  const auto gain = [](std::int64_t score) { return std::max(score, std::int64_t{0}); };
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t nodes = 0;
  for (int k = 1; k <= model.nodes; ++k) {
    begin = std::max(begin, gain(model.begin[k]));
    end = std::max(end, gain(model.end[k]));
    nodes += gain(single.match[k].high);
    if (k == model.nodes) break;
    for (const auto* scores : {&model.mm, &model.mi, &model.md, &model.im, &model.dm, &model.dd}) {
      nodes += gain((*scores)[k]);
    }
    nodes += gain(single.insert[k].high);
    single.gain_per_residue = std::max(single.gain_per_residue, gain(model.ii[k] + single.insert[k].high));
  }
  single.gain_fixed = gain(single.begin) + begin + nodes + end;
}

}  // namespace

std::optional<SingleHitModel> reduce_to_single_hit(const ScoreModel& model) {
  const bool multihit = possible(model.e_to_j) && possible(model.j_begin);
  if (!possible(model.n_loop) || model.c_loop != model.n_loop) return std::nullopt;
  if (multihit && model.j_loop > model.n_loop) return std::nullopt;
  if (!possible(model.n_begin) || !possible(model.e_to_c) || !possible(model.c_end)) return std::nullopt;
  if (!in_range(model)) return std::nullopt;
  SingleHitModel single;
  single.nodes = model.nodes;
  single.loop = model.n_loop;
  single.begin = model.n_begin;
  single.exit = std::int64_t{model.e_to_c} + model.c_end;
  single.multihit = multihit;
  single.multihit_mark = multihit ? std::int64_t{model.n_begin} - model.e_to_j - model.j_begin
                                  : std::numeric_limits<std::int64_t>::max();
  single.match = emission_ranges(model, model.match, single.loop);
  single.insert = emission_ranges(model, model.insert, single.loop);
  bound_gains(model, single);
  return single;
}

RebasedModel rebase(const ScoreModel& model, const SingleHitModel& single) {
  const int nodes = model.nodes;
  const std::vector<std::int64_t> column(static_cast<std::size_t>(nodes) + 1, -kImpossible);
  RebasedModel rebased{column, column, column, column, column, column, column};
  const auto end = [&](int k) { return raised(model.end[k]); };
  // Potential of Q_k; nothing comes out of node M, and that of node 0 makes the shift of M_1 nothing.
  const auto handed = [&](int k) {
    if (k == 0) return -end(1);
    return k == nodes ? 0 : raised(model.mm[k]) - end(k);
  };
  const auto deleted = [&](int k) { return k == nodes ? 0 : raised(model.dm[k]) - handed(k); };
  for (int k = 1; k <= nodes; ++k) {
    rebased.entry[k] = single.begin + raised(model.begin[k]) - handed(k - 1);
    rebased.match_shift[k] = handed(k - 1) + end(k);
    rebased.delete_potential[k] = deleted(k);
    if (k == nodes) break;
    rebased.mi[k] = raised(model.mi[k]) + raised(model.im[k]) - raised(model.mm[k]);
    rebased.ii[k] = raised(model.ii[k]);
    rebased.md[k] = raised(model.md[k]) - end(k) + deleted(k + 1);
    rebased.dd[k] = raised(model.dd[k]) - deleted(k) + deleted(k + 1);
  }
  return rebased;
}

}  // namespace gpuhmm::simd
