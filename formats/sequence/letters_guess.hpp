// What a sequence is, guessed from its letters as HMMER 2.3.2 does (docs/spec/alphabet-sequences.md, 2.2).
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuhmm {

/// Unknown: there is a J or O, which neither alphabet of HMMER 2 has.
enum class Letters : std::uint8_t { Protein, Dna, Rna, Unknown };

/// From the first 300 residues, gaps left out.
Letters guess_letters(std::string_view row);

}  // namespace gpuhmm
