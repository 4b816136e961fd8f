// Maximum entropy weights: those with which the rows of an alignment score as much alike as they can (Krogh,
// Mitchison, ISMB 3:215, 1995; hmmbuild --wme; docs/spec/building.md, 9.3).
#pragma once

#include <functional>
#include <vector>

#include "gpuhmm/build.hpp"

namespace gpuhmm {

/// What came out. Weights are at least 0 and sum to the number of rows.
struct EntropyWeights {
  std::vector<float> weights;
  std::vector<EntropyStep> steps;
  bool converged = false;  ///< false after 665 iterations, which a row that was left without weight leads to
};

/// The score of each row by the profile that weights make.
using RowScores = std::function<std::vector<float>(const std::vector<float>& weights)>;

/// Descends from equal weights, with the scores `first`, to the least relative entropy.
EntropyWeights maximum_entropy_weights(const std::vector<float>& first, const RowScores& scores_of);

/// Scores of rows, as if each of them spanned all nodes: the score of its path, in bits, divided by the part
/// that the nodes it spans have of the mean scores of all nodes. Not a number where no row of any weight
/// visits some node.
std::vector<float> whole_scores(const Profile& profile, const TrainingAlignment& alignment,
                                const std::vector<Trace>& traces, const std::vector<float>& weights);

}  // namespace gpuhmm
