// Makes a prepared database of a sequence file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/sequence/sequence_format.hpp"
#include "plan7/alphabet.hpp"

namespace gpuhmm {

/// What was made.
struct DatabaseSummary {
  AlphabetKind alphabet = AlphabetKind::Amino;
  std::uint64_t sequences = 0;
  std::uint64_t residues = 0;
};

/// Reads the sequences of `input` ("-": standard input) and writes them to `output`, which appears when all
/// is done. Without `format` it is detected. Without `alphabet` it is guessed from the first million
/// residues: nucleic if at least nine of ten that are not X are A, C, G, T, U or N. Memory: a few MiB, the
/// longest record, and 16 bytes a sequence. Throws FileError.
DatabaseSummary make_database(const std::string& input, std::optional<SequenceFormat> format,
                              const std::string& output, std::optional<AlphabetKind> alphabet);

}  // namespace gpuhmm
