// Checks the conditions of the single-hit form, and bounds what its paths can gain.
#include "plan7/single_hit_model.hpp"

#include <algorithm>
#include <limits>

namespace gpuhmm {

namespace {

// No score may exceed this, so that sums of a few scores stay well within 32 bits.
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

// A path visits a node at most once, except for its insert loop.
PathGain gain_of_one_hit(const ScoreModel& model, const SingleHitModel& single) {
  PathGain gain;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  for (int k = 1; k <= model.nodes; ++k) {
    begin = std::max(begin, gain_of(model.begin[k]));
    end = std::max(end, gain_of(model.end[k]));
    gain.fixed += gain_of(single.match[k].high);
    if (k == model.nodes) break;
    for (const auto* scores : {&model.mm, &model.mi, &model.md, &model.im, &model.dm, &model.dd}) {
      gain.fixed += gain_of((*scores)[k]);
    }
    gain.fixed += gain_of(single.insert[k].high);
    gain.per_residue = std::max(gain.per_residue, gain_of(model.ii[k] + single.insert[k].high));
  }
  gain.fixed += gain_of(single.begin) + begin + end;
  return gain;
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
  single.gain = gain_of_one_hit(model, single);
  return single;
}

}  // namespace gpuhmm
