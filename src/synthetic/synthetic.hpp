// Random models, profiles and proteins that are like real ones, for measurements.
#pragma once

#include <cstddef>
#include <random>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/sequence.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::synthetic {

using Generator = std::mt19937_64;

/// A multihit model with the score ranges of real profiles.
ScoreModel model(Generator& rng, int nodes, bool local);

/// A profile like a builder's: peaked match emissions, rare gaps, and hmmbuild's begins and ends.
Profile profile(Generator& rng, int nodes, bool local);

/// Residues of a protein about as they are distributed in Swiss-Prot, from 2 to 20,000.
std::size_t swissprot_length(Generator& rng);

/// Appends a sequence of so many random residues, each with the same chance.
void append_protein(Generator& rng, std::size_t length, SequenceBatch& batch);

}  // namespace gpuhmm::synthetic
