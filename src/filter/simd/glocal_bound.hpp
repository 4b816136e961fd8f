// Striped 16-bit parameters for upper bounds of the scores of glocal models (begin at node 1 or through
// deletes, end at node M or through deletes). A bound takes fewer operations a cell than an exact score.
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

/// Raises D -> M, also where there is none, so that no sum with a D leaves the 16 bits, unless D is above the
/// mark. False if one may.
bool keep_deletes_in_range(StripedModel<std::int16_t>& striped, std::int64_t mark);

/// Whether sums with inserts may saturate, or whether there shall be room for all of them
/// (LaneModel::sums_fit).
enum class InsertSums { Saturate, Fit };

/// Parameters that give upper bounds of E, in the finest scale that reaches from the lowest useful score to
/// `threshold` (1/1000 bit); nothing if the model is not glocal or its scores do not fit. A result up to
/// `mark` is a valid upper bound, and no second hit can raise the sequence's score. Only for models without
/// loop scores (t = 0).
std::optional<LevelledModel<std::int16_t>> stripe_glocal_bound(const ScoreModel& model,
                                                               const SingleHitModel& single,
                                                               std::int32_t threshold,
                                                               const StripedShape& shape,
                                                               InsertSums sums = InsertSums::Saturate);

}  // namespace gpuhmm::simd
