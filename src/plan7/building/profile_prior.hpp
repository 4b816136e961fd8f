// All that is expected of a profile before its alignment is seen.
#pragma once

#include <span>

#include "plan7/alphabet.hpp"
#include "plan7/building/dirichlet_prior.hpp"

namespace gpuhmm {

struct ProfilePrior {
  AlphabetKind alphabet = AlphabetKind::Amino;
  TransitionPrior transitions;
  DirichletMixture match, insert;
  bool by_residue = false;  ///< `match` has a component a residue, whose probability is that of the residue

  /// The priors of HMMER 2.3.2.
  static ProfilePrior standard(AlphabetKind alphabet);
};

/// Turns the counts of a match column into probabilities, in place.
void apply_match_prior(std::span<float> counts, const ProfilePrior& prior, GammaFunction gamma);

}  // namespace gpuhmm
