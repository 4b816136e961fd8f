// Paths of an alignment's rows through a model whose match columns are known (docs/spec/building.md, 9.7).
#pragma once

#include <vector>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/building/training_alignment.hpp"

namespace gpuhmm {

/// Makes one path per row. Plan7 has no transitions between insert and delete states: where the alignment has
/// one, the insert's residue next to it becomes the residue of a match state instead. A row begins at its
/// first match state and ends at its last. Throws std::invalid_argument for a row without residues.
std::vector<Trace> training_traces(const TrainingAlignment& alignment,
                                   const std::vector<bool>& match_columns);

/// Makes a profile of counts: in place of each probability it holds the total weight of its uses.
Profile count_traces(const TrainingAlignment& alignment, const std::vector<Trace>& traces, int nodes);

}  // namespace gpuhmm
