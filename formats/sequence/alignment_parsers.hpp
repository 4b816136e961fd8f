// The parsers of alignment formats. Internal to the sequence readers.
#pragma once

#include <memory>

#include "formats/sequence/line_source.hpp"
#include "gpuhmm/alignment.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// True for Stockholm, Clustal, Msf, Selex and Phylip.
bool is_alignment(SequenceFormat format);

/// A reader of `format`, which is Stockholm, Clustal, Msf, Selex or Phylip, for HMMER3 also A2m or Afa. The
/// file may hold many Stockholm alignments; one alignment at a time is in memory.
std::unique_ptr<SequenceReader> make_alignment_reader(std::unique_ptr<Input> input, const Alphabet& alphabet,
                                                      SequenceFormat format,
                                                      EmptyInput empty = EmptyInput::Refused);

/// The parsers return the next alignment of the file, at its end one without rows. They throw FileError.
Alignment read_stockholm(LineSource& lines);
Alignment read_clustal(LineSource& lines);
Alignment read_msf(LineSource& lines);
Alignment read_selex(LineSource& lines);
Alignment read_phylip(LineSource& lines);
Alignment read_a2m(LineSource& lines);
/// Records as in FASTA, for HMMER3: their lengths are not compared, and TABs are left in.
Alignment read_fasta_rows(LineSource& lines);

}  // namespace gpuhmm
