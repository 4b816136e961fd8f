// Models in which a residue has the same insert score at all nodes: a kernel then needs one vector of insert
// scores for a row, where it would load one for every vector of nodes.
#pragma once

#include <optional>

#include "plan7/score_model.hpp"

namespace gpuhmm::simd {

/// Whether each residue code has the same insert score at all nodes, of which there must be two at least.
bool has_same_inserts(const ScoreModel& model);

/// A model with the same insert scores at all nodes in which every path scores as much as in `model` or
/// slightly more: what a residue lacks at a node is added to the steps into the insert state. Nothing if that
/// would be more than 0.3 bits, or if `model` has fewer than two nodes.
std::optional<ScoreModel> with_same_inserts(const ScoreModel& model);

}  // namespace gpuhmm::simd
