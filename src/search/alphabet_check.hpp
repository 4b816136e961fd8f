// Sequences that do not seem to be of the profiles' alphabet.
#pragma once

#include <optional>
#include <string>

#include "plan7/alphabet.hpp"
#include "plan7/sequence.hpp"

namespace gpuhmm {

/// What to tell the user, in one line without its end, if `sequences`, the first ones of the input `name`,
/// digitised by the alphabet of the profiles, seem to be nucleic and the profiles are of protein, or the
/// reverse. HMMER 2 searches them without a word. Nothing for fewer than ten residues.
std::optional<std::string> alphabet_warning(const SequenceBatch& sequences, AlphabetKind profiles,
                                            const std::string& name);

}  // namespace gpuhmm
