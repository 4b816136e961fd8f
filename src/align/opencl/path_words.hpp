// Paths as cl/gpu_paths.cl writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::grid {

/// Words that have room for nearly every path of a sequence of this length.
inline std::size_t room_for_path(std::size_t length) { return 64 + length / 4; }

/// The trace of a path through all `length` residues, as ViterbiWalk makes it, from the words of
/// cl/gpu_paths.cl. Nothing if they are not a path. `model` was made from `profile`.
std::optional<Trace> trace_of_words(std::span<const std::int32_t> words, const ScoreModel& model,
                                    const Profile& profile, std::size_t length);

}  // namespace gpuhmm::grid
