// The paths that the rows of an alignment take through a model whose match columns are known
// (docs/spec/building.md, 9.7).
#pragma once

#include <vector>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/building/training_alignment.hpp"

namespace gpuhmm {

/// One path for each row. Plan7 has no transitions between insert and delete states: where the alignment asks
/// for one, the residue of the insert state next to the delete state takes the match state instead. A row
/// begins at its first match state and ends at its last. Throws std::invalid_argument for a row without
/// residues.
std::vector<Trace> training_traces(const TrainingAlignment& alignment,
                                   const std::vector<bool>& match_columns);

/// A profile of counts: what is otherwise a probability is the weight of the rows that use it.
Profile count_traces(const TrainingAlignment& alignment, const std::vector<Trace>& traces, int nodes);

}  // namespace gpuhmm
