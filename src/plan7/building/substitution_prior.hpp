// A prior of match emissions from a substitution matrix (hmmbuild --pam; docs/spec/building.md, 9.4).
#pragma once

#include <array>
#include <span>

#include "plan7/building/profile_prior.hpp"

namespace gpuhmm {

/// Scores of substituting one residue for another: [the one that is there][the other], by their codes.
using SubstitutionScores = std::array<std::array<int, 20>, 20>;

/// A component for each residue: what is expected in its place. A score of 1 is worth `scale` nats,
/// `frequencies` are those of the residues, and the pseudocounts of a component sum to `weight`.
DirichletMixture substitution_prior(const SubstitutionScores& scores, float scale,
                                    std::span<const float> frequencies, float weight);

}  // namespace gpuhmm
