// Guesses the kind of a sequence from its letters, as HMMER 2.3.2 does
// (docs/spec/alphabet-sequences.md, 2.2).
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuhmm {

/// Unknown: the sequence has a J or O, which neither alphabet of HMMER 2 has.
enum class Letters : std::uint8_t { Protein, Dna, Rna, Unknown };

/// Guesses from the first 300 residues, without gaps.
Letters guess_letters(std::string_view row);

}  // namespace gpuhmm
