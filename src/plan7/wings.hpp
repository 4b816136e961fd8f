// Delete wings: the deletes D_1.. before the first match of a domain and ..D_M after the last. The integer
// model folds them into its begin and end scores; a trace shows them where folding gained at least one bit
// (docs/spec/viterbi-and-traceback.md, 4.2).
#pragma once

#include "gpuhmm/profile.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Gain of the folded score over the direct transition (1/1000 bit) from which on deletes are shown.
inline constexpr std::int32_t kWingGain = 1000;

/// True if an entry into match k is to be shown as B D_1 .. D_(k-1) M_k.
inline bool begins_through_deletes(const ScoreModel& model, const Profile& profile, int k) {
  return score_of(profile.begin[k], profile.null_loop) + kWingGain <= model.begin[k];
}

/// True if an exit from match k is to be shown as M_k D_(k+1) .. D_M E.
inline bool ends_through_deletes(const ScoreModel& model, const Profile& profile, int k) {
  return score_of(profile.end[k], 1) + kWingGain <= model.end[k];
}

}  // namespace gpuhmm
