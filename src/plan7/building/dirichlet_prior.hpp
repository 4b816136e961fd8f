// Turns counts into probabilities with Dirichlet mixture priors (Sjolander et al., CABIOS 12:327, 1996).
#pragma once

#include <span>

#include "gpuhmm/build.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// Turns counts into the mean of the components' posterior estimates, in place. `mixture` holds the
/// probability of each component.
void apply_components(std::span<float> counts, const DirichletMixture& prior, std::span<const float> mixture);

/// The same with the components' posterior probabilities.
void apply_prior(std::span<float> counts, const DirichletMixture& prior, GammaFunction gamma);

/// The same for the transitions out of a node.
void apply_prior(Transitions& counts, const TransitionPrior& prior);

/// Turns the counts of a match column into probabilities, in place.
void apply_match_prior(std::span<float> counts, const ProfilePrior& prior, GammaFunction gamma);

}  // namespace gpuhmm
