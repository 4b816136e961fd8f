// Chooses the columns of an alignment that become match states (docs/spec/building.md, 9.6). All functions
// throw std::invalid_argument if no column qualifies.
#pragma once

#include <string_view>

#include "gpuhmm/build.hpp"

namespace gpuhmm {

/// Columns in which at most the fraction `largest_gap_part` of the rows has a gap.
MatchColumns columns_without_many_gaps(const TrainingAlignment& alignment, float largest_gap_part);

/// Columns that have no gap in the reference annotation.
MatchColumns columns_by_hand(std::string_view reference);

/// Match columns of the maximum a posteriori architecture (Durbin et al., Biological Sequence Analysis, 5.7).
MatchColumns most_probable_columns(const TrainingAlignment& alignment, const ProfilePrior& prior,
                                   const NullModel& null, const MapOptions& options);

}  // namespace gpuhmm
