// Readers of sequence files by HMMER 3.3.2's rules (docs/spec/hmmer3/profile-and-configuration.md, 4).
#pragma once

#include <memory>

#include "gpuhmm/input.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// Whether a field of a flat file that ends with its line has the end of the line, CR or LF, in it, as in
/// HMMER3.
enum class Hmmer3Lines { Clean, WithEnds };

/// A reader of any format for one of HMMER3's alphabets.
std::unique_ptr<SequenceReader> make_hmmer3_reader(std::unique_ptr<Input> input, const Alphabet& alphabet,
                                                   SequenceFormat format, Hmmer3Lines lines,
                                                   EmptyInput empty);

/// A reader of UniProt, EMBL, GenBank and DDBJ files; `format` is Embl or Genbank. Its errors are
/// hmmer3::SequenceFileError.
std::unique_ptr<SequenceReader> make_hmmer3_record_reader(std::unique_ptr<Input> input,
                                                          const Alphabet& alphabet, SequenceFormat format,
                                                          Hmmer3Lines lines, EmptyInput empty);

}  // namespace gpuhmm
