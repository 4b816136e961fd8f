// GCG's MSF format, and its checksums.
#pragma once

#include <string_view>
#include <vector>

#include "formats/report/text_sink.hpp"
#include "formats/sequence/alignment.hpp"

namespace gpuhmm {

/// The GCG checksum of a row: the codes of its letters in upper case, weighted by 1 to 57 over and over,
/// modulo 10,000.
int gcg_checksum(std::string_view row);
/// The checksum of an alignment, by which a profile's CKSUM knows the alignment that it was built from.
int gcg_checksum(const std::vector<AlignmentRow>& rows);

struct MultipleAlignment;

/// Writes the alignment; whether it says nucleic or protein is guessed from the letters of its rows. `date`
/// is shown in the header.
void write_msf(const TextSink& out, const MultipleAlignment& alignment, std::string_view date);

}  // namespace gpuhmm
