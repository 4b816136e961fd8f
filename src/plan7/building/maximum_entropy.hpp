// Maximum entropy weights, with which the rows of an alignment score as equally as possible (Krogh,
// Mitchison, ISMB 3:215, 1995; hmmbuild --wme; docs/spec/building.md, 9.3).
#pragma once

#include <functional>
#include <vector>

#include "gpuhmm/build.hpp"

namespace gpuhmm {

/// The weights, at least 0 and summing to the number of rows, and the steps to them.
struct EntropyWeights {
  std::vector<float> weights;
  std::vector<EntropyStep> steps;
  bool converged = false;  ///< false after 665 iterations, as when a row has lost all its weight
};

/// Computes the score of each row with the profile that the weights give.
using RowScores = std::function<std::vector<float>(const std::vector<float>& weights)>;

/// Descends from equal weights, whose scores are `first`, to the least relative entropy.
EntropyWeights maximum_entropy_weights(const std::vector<float>& first, const RowScores& scores_of);

/// Scores of rows as if each spanned all nodes: the score of its path, in bits, divided by the share that its
/// nodes have in the mean scores of all nodes. Not a number if no row with a weight visits some node.
std::vector<float> whole_scores(const Profile& profile, const TrainingAlignment& alignment,
                                const std::vector<Trace>& traces, const std::vector<float>& weights);

}  // namespace gpuhmm
