// Exact scores of some sequences of a batch by the full multihit recurrence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "filter/sequence_set.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm::simd {

/// Writes the exact score (1/1000 bit, as viterbi_score) of each sequence in `places` to the element of
/// `scores` at its place, over `threads` threads. `single` is the model's single-hit form, if it has one.
/// With vectors of `vector_bytes` bytes, 0 for none; what they cannot prove exact goes to the plain
/// reference.
void score_by_multihit(const ScoreModel& model, const std::optional<SingleHitModel>& single,
                       std::size_t vector_bytes, const SequenceSet& sequences,
                       std::span<const std::size_t> places, unsigned threads, std::span<std::int32_t> scores);

}  // namespace gpuhmm::simd
