// The alphabet of the sequences that `gpuhmm segments` and `gpuhmm submatrix --dotplot` read.
#pragma once

#include <optional>
#include <string>

#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm::cli {

/// The codes to read `source` with: those of a prepared database's own alphabet, else AminoLetters, which has
/// every letter of proteins and of nucleic sequences.
const Alphabet& letters_of(const SequenceSource& source);

/// What sequences are, and how that is known.
struct SequenceKind {
  enum class From : std::uint8_t { Option, Database, Guess, NoResidues };

  AlphabetKind alphabet = AlphabetKind::Amino;  ///< Amino or Nucleic
  From from = From::NoResidues;
  std::string path;  ///< of the sequences

  /// Throws FileError, or UsageError after --alphabet, unless `what` ("scale ges"), which is for sequences of
  /// the alphabet `made_for`, suits these sequences. Everything suits sequences without residues.
  void require(AlphabetKind made_for, const std::string& what) const;
};

/// The kind of the sequences of `source`: that of --alphabet, `given`; else that of a prepared database; else
/// what likely_alphabet guesses from the first of them, `first`, read with letters_of(source). Throws
/// FileError if --alphabet contradicts the database.
SequenceKind sequence_kind(const SequenceSource& source, const std::string& path,
                           std::optional<AlphabetKind> given, const SequenceBatch& first);

/// The kind of two sequences that are compared. Throws FileError if they are of different alphabets.
SequenceKind common_kind(const SequenceKind& a, const SequenceKind& b);

/// "proteins" or "nucleic sequences".
std::string plural_of(AlphabetKind alphabet);

}  // namespace gpuhmm::cli
