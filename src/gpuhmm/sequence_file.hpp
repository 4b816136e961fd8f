// Sequence files: their formats, reading them into batches, and telling proteins from nucleic sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

enum class SequenceFormat : std::uint8_t {
  Fasta,
  Embl,  ///< EMBL and UniProt flat files
  Genbank,
  Pir,      ///< the CODATA form of PIR (ENTRY ... ///)
  Gcg,      ///< one sequence a file
  GcgData,  ///< GCG data library (>>>>)
  Stockholm,
  Clustal,
  Msf,
  Selex,
  A2m,
  Phylip,  ///< strict names, interleaved
};

/// The name of a format as in HMMER's --informat: "fasta", "embl", ...
std::string_view name_of(SequenceFormat format);
/// The format of that name, in upper or lower case; none if unknown.
std::optional<SequenceFormat> sequence_format_from_name(std::string_view name);
/// All names, "fasta, embl, ...", for messages.
std::string sequence_format_names();

/// The format detected from the beginning of a file (`head`, some 64 KiB or the whole file); none if it is
/// none of them. A2M looks like FASTA and is never found.
std::optional<SequenceFormat> detect_sequence_format(std::string_view head);

/// What an input without a byte is, where HMMER 2.3.2 takes it for a file of no records: standard input, and
/// files whose format is named, unless it is one of alignments.
enum class EmptyInput { Refused, Allowed };

/// Reads the sequences of one file in file order. Records hold names, accessions and descriptions as
/// HMMER 2.3.2 takes them from that format, uncut; an accession or description beginning with "-" is none.
/// Characters that are not in the alphabet become X, white space is skipped, and what else is skipped depends
/// on the format: digits in FASTA, EMBL, GenBank, PIR, GCG and PHYLIP files; the gaps ._-~ in alignments.
/// Errors are FileError naming the file and the line or record. Damaged files are refused where HMMER reads
/// on: a record without its end, rows of different length, a byte of value 0.
class SequenceReader {
 public:
  /// Residues of the longest sequence that is taken, and characters of the longest name, accession and
  /// description together (docs/limits.md). Tests may set lower bounds.
  struct Limits {
    std::size_t residues = std::size_t{1} << 30;
    std::size_t characters = std::size_t{16} << 20;
  };

  virtual ~SequenceReader() = default;
  SequenceReader(const SequenceReader&) = delete;
  SequenceReader& operator=(const SequenceReader&) = delete;

  /// Appends the next record; false at the end. A file without any record is an error, unless it was allowed.
  /// After an error `into` may hold a part of the record.
  bool read(SequenceBatch& into);
  /// Makes room in `into` for the records that read_block, with the same bounds, appends next. Readers that
  /// cannot tell do nothing.
  virtual void make_room(SequenceBatch& /*into*/, std::size_t /*max_sequences*/,
                         std::size_t /*max_residues*/) const {}
  /// Number of records read.
  std::uint64_t records() const { return records_; }
  void set_limits(const Limits& limits) { limits_ = limits; }
  /// The file's name, for messages.
  virtual const std::string& name() const = 0;
  /// About which part of the file has been read, 0 to 1; nothing if that is not known.
  virtual std::optional<double> fraction_read() const { return std::nullopt; }

 protected:
  explicit SequenceReader(EmptyInput empty = EmptyInput::Refused) : empty_(empty) {}
  /// Throws FileError if the sequence begun last in `into` has got longer than one may be. For readers to
  /// call while it grows.
  void check_residues(const SequenceBatch& into) const;
  /// Likewise for the text that names a record.
  void check_characters(std::size_t characters) const;

 private:
  virtual bool read_record(SequenceBatch& into) = 0;

  Limits limits_;
  EmptyInput empty_;
  std::uint64_t records_ = 0;
};

/// Opens a sequence file, plain or gzip; "-" is standard input. Without `format` it is detected.
/// Throws FileError (see Input; not a sequence file; empty).
std::unique_ptr<SequenceReader> open_sequences(const std::string& path, const Alphabet& alphabet,
                                               std::optional<SequenceFormat> format = {},
                                               EmptyInput empty = EmptyInput::Refused);

/// Appends records until `into` holds `max_sequences` of them or `max_residues` residues or more (the last
/// record may pass the bound); false if there was none left.
bool read_block(SequenceReader& reader, SequenceBatch& into, std::size_t max_sequences,
                std::size_t max_residues);

/// The alphabet that sequences, digitised by `alphabet`, seem to be of by their first residues, about
/// 1,000,000: nucleic if at least nine of ten that are not X are A, C, G, T, U or N. Nothing if fewer than
/// `least` residues are not X.
std::optional<AlphabetKind> likely_alphabet(const SequenceBatch& sequences, const Alphabet& alphabet,
                                            std::size_t least = 1);

/// A warning, one line without its end, if `sequences`, the first ones of the input `name`, digitised by the
/// alphabet of the profiles, seem to be of the other alphabet: HMMER 2 takes them without a word. Nothing for
/// fewer than ten residues.
std::optional<std::string> alphabet_warning(const SequenceBatch& sequences, AlphabetKind profiles,
                                            const std::string& name);

}  // namespace gpuhmm
