// Masking of short-period repeats in protein sequences, option --xnu (docs/spec/alphabet-sequences.md, 2.5).
#pragma once

#include <cstdint>
#include <span>

namespace gpuhmm {

/// Replaces residues (amino codes) of repeats of period 1 to 4 by X, as HMMER 2.3.2 does, its reads beyond
/// the score table included: an X or unknown letter at distance 1 to 4 behind any residue but A, C and M is
/// masked together with that residue.
void mask_repeats(std::span<std::uint8_t> residues);

}  // namespace gpuhmm
