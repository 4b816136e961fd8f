// Readers of the flat file formats: EMBL and UniProt, GenBank, PIR, GCG.
#pragma once

#include <memory>

#include "gpuhmm/input.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// A reader of `format`, which is Embl, Genbank, Pir, Gcg or GcgData.
std::unique_ptr<SequenceReader> make_record_reader(std::unique_ptr<Input> input, const Alphabet& alphabet,
                                                   SequenceFormat format);

}  // namespace gpuhmm
