// All that is expected of a profile before its alignment is seen: Dirichlet mixture priors of transitions and
// emissions (Sjolander et al., CABIOS 12:327, 1996).
#pragma once

#include <array>
#include <vector>

#include "plan7/alphabet.hpp"

namespace gpuhmm {

/// One component: its probability, and the pseudocounts of each outcome.
struct DirichletComponent {
  float probability = 1;
  std::vector<float> alpha;
};
using DirichletMixture = std::vector<DirichletComponent>;

/// Pseudocounts of the transitions out of match, insert and delete states.
struct TransitionPrior {
  std::array<float, 3> match{};     ///< m->m, m->i, m->d
  std::array<float, 2> insert{};    ///< i->m, i->i
  std::array<float, 2> deletion{};  ///< d->m, d->d
};

/// How log Gamma is computed for the probabilities of the components. Debian's hmmbuild takes an integer that
/// is left in a register for the result of its function (docs/spec/building.md, 9.4), so that practically one
/// component counts alone.
enum class GammaFunction {
  Debian,  ///< as Debian's hmmbuild on processors with FMA instructions
  True,    ///< what HMMER 2.3.2 means
};

/// Priors of everything that a profile has.
struct ProfilePrior {
  AlphabetKind alphabet = AlphabetKind::Amino;
  TransitionPrior transitions;
  DirichletMixture match, insert;
  bool by_residue = false;  ///< `match` has a component a residue, whose probability is that of the residue

  /// The priors of HMMER 2.3.2.
  static ProfilePrior standard(AlphabetKind alphabet);
};

}  // namespace gpuhmm
