// Makes the parameters of the full recurrence, and computes where its 32-bit scores are exact.
//
// The proof is that of rebased_model.hpp with all potentials 0, since the kernel raises B to kLowestBegin.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "filter/simd/delete_paths.hpp"
#include "filter/simd/multihit.hpp"

namespace gpuhmm::simd {

namespace {

constexpr std::int64_t kLongestSequence = std::numeric_limits<std::int32_t>::max() - 1;

// Closer limits for models whose N, J and C loops have equal scores and whose further hits have a cost. A hit
// with a raised score then loses against staying in J, so it can only matter on a path without another hit.
// The length of the sequence matters only as far as inserts gain or loops cost something.
void bound_equal_loops(const SingleHitModel& single, MultihitLimits& limits) {
  limits.limit_fixed = single.gain.fixed - kImpossible + gain_of(single.exit);
  limits.limit_per_residue = single.gain.per_residue + single.loop;
  const std::int64_t margin = kImpossible - 1 - single.gain.fixed;
  const auto longest = [](std::int64_t most, std::int64_t per_residue) {
    return per_residue == 0 ? kLongestSequence : most / per_residue;
  };
  limits.longest_watched = margin < 0
                               ? -1
                               : std::min(longest(margin, single.gain.per_residue),
                                          longest(2 * kImpossible, std::abs(std::int64_t{single.loop})));
  limits.longest = std::min(limits.longest, limits.longest_watched);
}

std::int32_t raised32(std::int32_t score) { return static_cast<std::int32_t>(raised(score)); }

MultihitLimits limits_of_any(const ScoreModel& model) {
  const PathGain gain = gain_of_any_path(model);
  const std::int64_t never_overflows = gain.longest(kHighestGain);
  return {gain.fixed - kImpossible, gain.per_residue, never_overflows, never_overflows,
          gain.longest(kHighestGain - kHighestBetween)};
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
                                 static_cast<std::int32_t>(-kImpossible), kNoPathYet),
      model.n_begin,
      model.n_loop,
      model.e_to_c,
      model.e_to_j,
      model.c_end,
      model.c_loop,
      model.j_begin,
      model.j_loop};
  StripedModel<std::int32_t>& striped = multihit.striped;
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
  }
  const DeletePaths deletes(model);
  for (int k = 1; k <= model.nodes; ++k) {
    const auto node = static_cast<std::size_t>(k);
    striped.transition(k, kMulLazyF) =
        static_cast<std::int32_t>(deletes.between(shape.lane_start(node), node) + raised(model.dm[k]));
  }
  for_each_crossing(shape, [&](std::size_t step, std::size_t lane, std::size_t from, std::size_t to) {
    striped.crossing(step, lane) = static_cast<std::int32_t>(deletes.between(from, to));
  });
  return multihit;
}

}  // namespace gpuhmm::simd
