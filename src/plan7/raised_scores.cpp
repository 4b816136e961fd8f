// Bounds what a path can gain, whatever its domains.
#include "plan7/raised_scores.hpp"

#include <vector>

namespace gpuhmm {

namespace {

std::int64_t highest_gain(const std::vector<std::int32_t>& scores) {
  return gain_of(*std::max_element(scores.begin(), scores.end()));
}

}  // namespace

// Between two residues there is one transition or a run of deletes, and at most one end of a domain followed
// by the begin of the next.
PathGain gain_of_any_path(const ScoreModel& model) {
  std::int64_t deletes = highest_gain(model.md) + highest_gain(model.dm);
  for (const std::int32_t score : model.dd) deletes += gain_of(score);
  const std::int64_t step = std::max({highest_gain(model.mm), highest_gain(model.mi), highest_gain(model.im),
                                      highest_gain(model.ii), deletes});
  const std::int64_t around = highest_gain(model.begin) + highest_gain(model.end) + gain_of(model.e_to_j) +
                              gain_of(model.j_begin) +
                              gain_of(std::max({model.n_loop, model.j_loop, model.c_loop}));
  return {gain_of(model.n_begin) + gain_of(model.e_to_c) + gain_of(model.c_end) + deletes + around,
          std::max(highest_gain(model.match), highest_gain(model.insert)) + step + around};
}

}  // namespace gpuhmm
