// Characters and residues of the alignment that a profile is built from.
#pragma once

#include <cstdint>

#include "gpuhmm/build.hpp"

namespace gpuhmm {

/// Whether a character of an alignment is a gap: one of " ._-~".
constexpr bool is_gap(char c) { return c == '-' || c == '.' || c == '_' || c == '~' || c == ' '; }

/// Adds the weight of a residue to the counts of plain residues. A degenerate code counts in equal parts for
/// its residues.
void count_residue(const Alphabet& alphabet, std::uint8_t code, float weight, float* counts);

}  // namespace gpuhmm
