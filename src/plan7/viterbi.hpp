// The plain reference of the Plan7 Viterbi score, which every engine must equal
// (docs/spec/viterbi-and-traceback.md, 4.1).
#pragma once

#include <cstdint>
#include <span>

#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Optimal score S of a sequence in 1/1000 bit, by the full multihit recurrence in two rows: O(L M) time,
/// O(M) memory. `residues` are alphabet codes. If all states of the model are reachable, this is the score of
/// hmmsearch 2.3.2. As there, "no path" scores at most kMinusInfinity plus a few thousand bits of drift.
std::int32_t viterbi_score(const ScoreModel& model, std::span<const std::uint8_t> residues);

}  // namespace gpuhmm
