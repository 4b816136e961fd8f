// Striped 16-bit parameters that give upper bounds for glocal models (begin at node 1 or through deletes, end
// likewise), with fewer operations a cell than the exact ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "filter/simd/striped_model.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm::simd {

/// Transition planes of the bound kernel.
enum BoundPlane : std::size_t { kBoundMatchInsert, kBoundInsertInsert, kBoundDeleteMatch, kBoundPlanes };

/// Parameters that bound E from above, in the finest scale that reaches from the lowest useful level to a
/// score of `threshold`; nothing if the model is not glocal or its scores do not fit. Bounds up to `mark`
/// hold and come from sequences for which no second hit pays. Only for models without loop scores (t = 0).
std::optional<LevelledModel<std::int16_t>> stripe_glocal_bound(const ScoreModel& model,
                                                               const SingleHitModel& single,
                                                               std::int32_t threshold,
                                                               const StripedShape& shape);

}  // namespace gpuhmm::simd
