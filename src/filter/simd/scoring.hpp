// Scores of one model for all sequences of a batch, by the SIMD kernels that suit the model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "filter/simd/sorted_batch.hpp"
#include "gpuhmm/progress.hpp"
#include "plan7/score_model.hpp"
#include "util/shared_threads.hpp"

namespace gpuhmm::simd {

/// As ScoreEngine::score_up_to, by `threads`. `meter`, if not null, counts the cells done.
void score_batch(const ScoreModel& model, const SortedBatch& batch, SharedThreads& threads,
                 std::optional<std::int32_t> threshold, std::int32_t enough, std::span<std::int32_t> scores,
                 WorkMeter* meter);

/// As ScoreEngine::score_whole_bits; `threads` and `meter` as in score_batch.
void score_whole_bits(const ScoreModel& model, const SortedBatch& batch, SharedThreads& threads,
                      std::int32_t enough, std::span<std::int32_t> scores, WorkMeter* meter);

}  // namespace gpuhmm::simd
