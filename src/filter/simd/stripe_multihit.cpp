// Parameters of the full recurrence; see the header.
//
// With P = kImpossible all parameters are at least -P and the kernel takes B as at least -3 P. Hence M >= -5
// P, I >= -7 P, D >= -6 P and no sum on the way is below -8 P = -1.6e9; no cell needs a floor of its own.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "filter/simd/multihit.hpp"

namespace gpuhmm::simd {

namespace {

constexpr std::int64_t kFloor = -5 * kImpossible;
constexpr std::int64_t kLongestSequence = std::numeric_limits<std::int32_t>::max() - 1;

std::int64_t gain(std::int64_t score) { return std::max(score, std::int64_t{0}); }

std::int64_t highest_gain(const std::vector<std::int32_t>& scores) {
  return gain(*std::max_element(scores.begin(), scores.end()));
}

// A closer bound where N, J and C loops cost the same and another hit costs something. A hit with a raised
// score then loses against staying in J instead, so only a path with no other hit can be spoilt by one. The
// length of the sequence matters only as far as inserts gain or loops cost something.
void bound_equal_loops(const SingleHitModel& single, MultihitLimits& limits) {
  limits.limit_fixed = single.gain_fixed - kImpossible + gain(single.exit);
  limits.limit_per_residue = single.gain_per_residue + single.loop;
  const std::int64_t room = kImpossible - 1 - single.gain_fixed;
  const auto longest = [](std::int64_t most, std::int64_t per_residue) {
    return per_residue == 0 ? kLongestSequence : most / per_residue;
  };
  limits.longest_watched = room < 0 ? -1
                                    : std::min(longest(room, single.gain_per_residue),
                                               longest(2 * kImpossible, std::abs(std::int64_t{single.loop})));
  limits.longest = std::min(limits.longest, limits.longest_watched);
}

std::int32_t raised32(std::int32_t score) { return static_cast<std::int32_t>(raised(score)); }

MultihitLimits limits_of_any(const ScoreModel& model) {
  std::int64_t deletes = highest_gain(model.md) + highest_gain(model.dm);
  for (const std::int32_t score : model.dd) deletes += gain(score);
  const std::int64_t step = std::max({highest_gain(model.mm), highest_gain(model.mi), highest_gain(model.im),
                                      highest_gain(model.ii), deletes});
  const std::int64_t around = highest_gain(model.begin) + highest_gain(model.end) + gain(model.e_to_j) +
                              gain(model.j_begin) +
                              gain(std::max({model.n_loop, model.j_loop, model.c_loop}));
  const std::int64_t per_residue =
      std::max(highest_gain(model.match), highest_gain(model.insert)) + step + around;
  const std::int64_t fixed = gain(model.n_begin) + gain(model.e_to_c) + gain(model.c_end) + deletes + around;
  const auto longest = [&](std::int64_t most) { return most / std::max(per_residue, std::int64_t{1}); };
  const std::int64_t never_overflows = longest(kHighestGain - fixed);
  return {fixed - kImpossible, per_residue, never_overflows, never_overflows,
          longest(kHighestGain - kHighestBetween - fixed)};
}

}  // namespace

MultihitLimits multihit_limits(const ScoreModel& model, const std::optional<SingleHitModel>& single) {
  MultihitLimits limits = limits_of_any(model);
  if (single && (!single->multihit ||
                 (model.j_loop == model.n_loop && std::int64_t{model.e_to_j} + model.j_begin <= 0))) {
    bound_equal_loops(*single, limits);
  }
  return limits;
}

MultihitModel stripe_multihit(const ScoreModel& model, const std::optional<SingleHitModel>& single,
                              std::size_t lanes) {
  const StripedShape shape(model.nodes, lanes);
  MultihitModel multihit{
      multihit_limits(model, single),
      StripedModel<std::int32_t>(shape, kMultihitPlanes, scan_steps(lanes), model.code_count(),
                                 static_cast<std::int32_t>(-kImpossible), static_cast<std::int32_t>(kFloor)),
      model.n_begin,
      model.n_loop,
      model.e_to_c,
      model.e_to_j,
      model.c_end,
      model.c_loop,
      model.j_begin,
      model.j_loop};
  StripedModel<std::int32_t>& striped = multihit.striped;
  std::vector<std::int64_t> deletes(shape.places() + 1, 0);  // sum of D -> D from node 1 to node k
  for (int k = 1; k <= model.nodes; ++k) {
    for (std::size_t x = 0; x < striped.codes; ++x) {
      std::int32_t* scores = striped.emission(k, x);
      scores[0] = raised32(model.match_row(static_cast<int>(x))[k]);
      scores[lanes] = raised32(model.insert_row(static_cast<int>(x))[k]);
    }
    striped.transition(k, kMulBegin) = raised32(model.begin[k]);
    striped.transition(k, kMulEnd) = raised32(model.end[k]);
    striped.transition(k, kMulMM) = raised32(model.mm[k]);
    striped.transition(k, kMulMI) = raised32(model.mi[k]);
    striped.transition(k, kMulMD) = raised32(model.md[k]);
    striped.transition(k, kMulIM) = raised32(model.im[k]);
    striped.transition(k, kMulII) = raised32(model.ii[k]);
    striped.transition(k, kMulDM) = raised32(model.dm[k]);
    striped.transition(k, kMulDD) = raised32(model.dd[k]);
    if (k > 1) deletes[k] = deletes[k - 1] + raised32(model.dd[k - 1]);
  }
  const auto through = [&](std::size_t from, std::size_t to) {
    return to > static_cast<std::size_t>(model.nodes) ? -kImpossible
                                                      : std::max(deletes[to] - deletes[from], -kImpossible);
  };
  for (int k = 1; k <= model.nodes; ++k) {
    const std::size_t first = shape.lane_start(static_cast<std::size_t>(k));
    striped.transition(k, kMulCarried) =
        static_cast<std::int32_t>(through(first, static_cast<std::size_t>(k)) + raised(model.dm[k]));
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t first = lane * shape.vectors + 1;
    for (std::size_t step = 0; step < scan_steps(lanes); ++step) {
      const std::size_t distance = std::size_t{1} << step;
      if (lane < distance) continue;
      striped.crossing(step, lane) =
          static_cast<std::int32_t>(through(first - distance * shape.vectors, first));
    }
  }
  return multihit;
}

}  // namespace gpuhmm::simd
