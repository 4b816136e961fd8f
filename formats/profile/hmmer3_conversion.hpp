// HMMER2 text as HMMER 3.3.2's `hmmconvert -2` makes it of a HMMER3 profile (docs/spec/profile-format.md,
// 1.7).
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "formats/profile/hmmer3_record.hpp"

namespace gpuhmm {

/// Scores of the move and loop transitions of N, C and J and of the null model, and of both transitions of E.
struct Hmmer3SpecialScores {
  std::int32_t move, loop, end;
};

/// What every converted profile of an alphabet has.
Hmmer3SpecialScores hmmer3_special_scores(AlphabetKind alphabet);

/// A cut-off in bits, rounded to one decimal.
std::string hmmer3_cutoff(float bits);

/// Writes the profile. It is laid out somewhat differently from HMMER 2.3.2's own text. Errors are left in
/// the stream's state.
void write_converted_hmmer3(std::ostream& out, const Hmmer3Record& record);

}  // namespace gpuhmm
