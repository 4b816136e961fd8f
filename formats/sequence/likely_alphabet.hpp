// Telling proteins from nucleic sequences by their residues.
#pragma once

#include <cstddef>
#include <optional>

#include "plan7/alphabet.hpp"
#include "plan7/sequence.hpp"

namespace gpuhmm {

/// The alphabet that sequences, digitised by `alphabet`, seem to be of by their first residues, about
/// 1,000,000: nucleic if at least nine of ten that are not X are A, C, G, T, U or N. Nothing if fewer than
/// `least` residues are not X.
std::optional<AlphabetKind> likely_alphabet(const SequenceBatch& sequences, const Alphabet& alphabet,
                                            std::size_t least = 1);

}  // namespace gpuhmm
