// Writes HMMER3 profiles as HMMER2 text, as HMMER 3.3.2's `hmmconvert -2` does
// (docs/spec/profile-format.md, 1.7).
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "formats/profile/hmmer3_record.hpp"

namespace gpuhmm {

/// Scores in 1/1000 bit: `move` and `loop` transitions of N, C, J and the null model, `end` for both
/// transitions of E.
struct Hmmer3SpecialScores {
  std::int32_t move, loop, end;
};

/// The scores that all converted profiles of an alphabet share.
Hmmer3SpecialScores hmmer3_special_scores(AlphabetKind alphabet);

/// A cut-off in bits, rounded to one decimal.
std::string hmmer3_cutoff(float bits);

/// Writes the profile; the layout differs slightly from that of HMMER 2.3.2. Errors set the state of the
/// stream.
void write_converted_hmmer3(std::ostream& out, const Hmmer3Record& record);

}  // namespace gpuhmm
