// Masks short-period repeats in protein sequences, option --xnu (docs/spec/alphabet-sequences.md, 2.5).
#pragma once

#include <cstdint>
#include <span>

namespace gpuhmm {

/// Replaces residues (amino codes) in repeats of period 1 to 4 by X, as HMMER 2.3.2 does, including its reads
/// past the score table: an X or unknown letter 1 to 4 after any residue but A, C and M is masked together
/// with that residue.
void mask_repeats(std::span<std::uint8_t> residues);

}  // namespace gpuhmm
