// Telling proteins from nucleic sequences by their residues.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "plan7/alphabet.hpp"
#include "plan7/sequence.hpp"

namespace gpuhmm {

/// The alphabet that sequences, digitised by `alphabet`, seem to be of by their first residues, about
/// 1,000,000: nucleic if at least nine of ten that are not X are A, C, G, T, U or N. Nothing if fewer than
/// `least` residues are not X.
std::optional<AlphabetKind> likely_alphabet(const SequenceBatch& sequences, const Alphabet& alphabet,
                                            std::size_t least = 1);

/// A warning, one line without its end, if `sequences`, the first ones of the input `name`, digitised by the
/// alphabet of the profiles, seem to be of the other alphabet: HMMER 2 takes them without a word. Nothing for
/// fewer than ten residues.
std::optional<std::string> alphabet_warning(const SequenceBatch& sequences, AlphabetKind profiles,
                                            const std::string& name);

}  // namespace gpuhmm
