// HMMER3's null model (docs/spec/hmmer3/profile-and-configuration.md, 5).
#pragma once

#include <cstdint>
#include <span>

#include "gpuhmm/alphabet.hpp"

namespace gpuhmm::hmmer3 {

/// Frequencies of the residues of an alphabet.
std::span<const float> background(AlphabetKind alphabet);

/// The null model of sequences of one length.
struct NullModel {
  explicit NullModel(std::int64_t length);

  float loop;   ///< probability of another residue
  float score;  ///< nats
};

}  // namespace gpuhmm::hmmer3
