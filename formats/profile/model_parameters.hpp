// HMMER 2.3.2's parameter files: null models and priors, as words and numbers with comments after '#'
// (docs/spec/building.md, 9.4, 9.5).
#pragma once

#include <string>

#include "plan7/building/build_profile.hpp"
#include "plan7/building/profile_prior.hpp"

namespace gpuhmm {

/// A null model: the alphabet (Amino or Nucleic), a frequency a residue, and the probability of a residue
/// after a residue. Throws FileError (see Input; another alphabet, numbers missing or out of range).
NullModel read_null_model(const std::string& path, AlphabetKind alphabet);

/// A prior: "Dirichlet", the alphabet, and then transitions, match and insert emissions, each as the number
/// of components and for each component its probability and pseudocounts. There must be one component of
/// transitions. Throws FileError.
ProfilePrior read_prior(const std::string& path, AlphabetKind alphabet);

}  // namespace gpuhmm
