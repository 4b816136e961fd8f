// Drawn sequences as hmmemit of HMMER 2.3.2 writes them: FASTA, or a Stockholm alignment
// (docs/spec/emission.md, 10.3).
#pragma once

#include <string_view>
#include <vector>

#include "formats/report/text_sink.hpp"
#include "plan7/emission.hpp"

namespace gpuhmm {

/// One FASTA record, 50 letters a line.
void write_emitted_fasta(const TextSink& out, std::string_view name, std::string_view description,
                         std::string_view letters);

/// The letters of a drawn sequence.
std::string emitted_letters(const Profile& profile, const Emission& steps);

/// All sequences of a profile: match states in columns of their own, the inserts between two of them half to
/// the left and half to the right.
void write_emitted_alignment(const TextSink& out, const Profile& profile,
                             const std::vector<Emission>& sequences);

}  // namespace gpuhmm
