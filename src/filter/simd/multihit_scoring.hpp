// Exact scores of some sequences of a batch by the full multihit recurrence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "filter/sequence_set.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"
#include "util/shared_threads.hpp"

namespace gpuhmm::simd {

/// Writes the exact score (1/1000 bit, as viterbi_score) of each sequence with an index in `places` to its
/// element of `scores`, by `threads`. `single` is the model's single-hit form, if it has one.
/// `vector_bytes`: size of the SIMD vectors to use, 0 for none. Scores that are not provably exact come from
/// the plain reference.
void score_by_multihit(const ScoreModel& model, const std::optional<SingleHitModel>& single,
                       std::size_t vector_bytes, const SequenceSet& sequences,
                       std::span<const std::size_t> places, SharedThreads& threads,
                       std::span<std::int32_t> scores);

}  // namespace gpuhmm::simd
