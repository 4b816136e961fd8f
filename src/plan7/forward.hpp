// Computes the Forward score (docs/spec/viterbi-and-traceback.md, 4.7).
#pragma once

#include <cstdint>
#include <span>

#include "plan7/score_model.hpp"

namespace gpuhmm {

/// The sum over all paths of a sequence, 1/1000 bit, with HMMER's table-driven sums in HMMER's order and
/// 32-bit wrap-around. hmmsearch --forward uses a model with WingFolding::Sum. O(L M) time, O(M) memory.
std::int32_t forward_score(const ScoreModel& model, std::span<const std::uint8_t> residues);

}  // namespace gpuhmm
