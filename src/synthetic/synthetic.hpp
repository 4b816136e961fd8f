// Random models, profiles and proteins that resemble real ones, for measurements.
#pragma once

#include <cstddef>
#include <random>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/sequence.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::synthetic {

using Generator = std::mt19937_64;

/// A multihit model of `nodes` nodes with scores in the ranges of real profiles. `local`: local to the
/// profile, else global.
ScoreModel model(Generator& rng, int nodes, bool local);

/// A profile of `nodes` nodes like those of hmmbuild: peaked match emissions, rare gaps, and hmmbuild's begin
/// and end transitions.
Profile profile(Generator& rng, int nodes, bool local);

/// A length in residues, from 2 to 20,000, distributed approximately as in Swiss-Prot.
std::size_t swissprot_length(Generator& rng);

/// Appends a sequence of `length` random residues, all equally likely.
void append_protein(Generator& rng, std::size_t length, SequenceBatch& batch);

}  // namespace gpuhmm::synthetic
