// Which columns of an alignment become match states (docs/spec/building.md, 9.6). Functions throw
// std::invalid_argument if no column qualifies.
#pragma once

#include <string_view>

#include "gpuhmm/build.hpp"

namespace gpuhmm {

/// Columns in which at most the part `largest_gap_part` of the rows' weight are gaps.
MatchColumns columns_without_many_gaps(const TrainingAlignment& alignment, float largest_gap_part);

/// Columns that have no gap in the reference annotation.
MatchColumns columns_by_hand(std::string_view reference);

/// The most probable architecture a posteriori (Durbin et al., Biological Sequence Analysis, 5.7).
MatchColumns most_probable_columns(const TrainingAlignment& alignment, const ProfilePrior& prior,
                                   const NullModel& null, const MapOptions& options);

}  // namespace gpuhmm
