// Sequence files: detects their formats, reads them into batches, and guesses their alphabet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/record_range.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

class Input;

/// Formats of sequence files.
enum class SequenceFormat : std::uint8_t {
  Fasta,
  Embl,  ///< EMBL and UniProt flat files
  Genbank,
  Pir,      ///< the CODATA form of PIR (ENTRY ... ///)
  Gcg,      ///< one sequence per file
  GcgData,  ///< GCG data library (>>>>)
  Stockholm,
  Clustal,
  Msf,
  Selex,
  A2m,
  Phylip,  ///< strict names, interleaved
  Afa,     ///< aligned FASTA: rows of one length
};

/// The name of a format as in HMMER's --informat: "fasta", "embl", ...
std::string_view name_of(SequenceFormat format);
/// The format with this name, in upper or lower case; nothing if unknown.
std::optional<SequenceFormat> sequence_format_from_name(std::string_view name);
/// All names, "fasta, embl, ...", for messages.
std::string sequence_format_names();

/// Detects the format from the beginning of a file (`head`, about 64 KiB or the whole file); nothing if it is
/// unknown. A2M looks like FASTA and is never detected.
std::optional<SequenceFormat> detect_sequence_format(std::string_view head);

/// Whether an empty input is an error. HMMER 2.3.2 takes it for a file without records if it is standard
/// input, or if its format is named and is not an alignment format.
enum class EmptyInput { Refused, Allowed };

/// Reads the sequences of one file in file order. Names, accessions and descriptions are those that HMMER
/// 2.3.2 takes from the format, uncut; an accession or description that begins with "-" is dropped.
/// Characters that are not in the alphabet become X. White space is skipped, as are digits in FASTA, EMBL,
/// GenBank, PIR, GCG and PHYLIP files and the gaps ._-~ in alignments. Errors are FileError with the file and
/// the line or record. Damaged files that HMMER reads are errors as well: a record without its end, rows of
/// different length, a byte of value 0.
///
/// With one of HMMER3's alphabets the records are those of HMMER 3.3.2
/// (docs/spec/hmmer3/profile-and-configuration.md, 4): a character that is not in the alphabet is an error,
/// `*`,
/// `~`, `_` and `.` are residues except in alignments, and accessions and descriptions are as in the file,
/// empty if absent. Errors for which HMMER3 has words are hmmer3::SequenceFileError. PIR, GCG and MSF, which
/// HMMER3 does not read, have the names and texts that HMMER 2.3.2 takes.
class SequenceReader {
 public:
  /// Bounds on the residues of a sequence, and on the characters of its name, accession and description
  /// together (docs/limits.md). Tests may set lower bounds.
  struct Limits {
    std::size_t residues = std::size_t{1} << 30;
    std::size_t characters = std::size_t{16} << 20;
  };

  /// The records of a whole file.
  struct Contents {
    std::uint64_t records, with_residues;
  };

  virtual ~SequenceReader() = default;
  SequenceReader(const SequenceReader&) = delete;
  SequenceReader& operator=(const SequenceReader&) = delete;

  /// Appends the next record; returns false at the end. A file without any record is an error unless that was
  /// allowed. After an error `into` may hold a part of the record.
  bool read(SequenceBatch& into);
  /// Reserves memory in `into` for the records that read_block, with the same bounds, will append. Does
  /// nothing if the reader cannot know their size.
  virtual void make_room(SequenceBatch& /*into*/, std::size_t /*max_sequences*/,
                         std::size_t /*max_residues*/) const {}
  /// Number of records read.
  std::uint64_t records() const { return records_; }
  void set_limits(const Limits& limits) { limits_ = limits; }
  /// Which records a run takes; it reads and counts those before them, too. read() gives all. By default all.
  RecordRange range() const { return range_; }
  void set_range(const RecordRange& range) { range_ = range; }
  /// The file's name, for messages.
  virtual const std::string& name() const = 0;
  /// What the file holds, if that is known before it is read.
  virtual std::optional<Contents> contents() const { return std::nullopt; }
  /// The fraction of the file that has been read, roughly, 0 to 1; nothing if unknown.
  virtual std::optional<double> fraction_read() const { return std::nullopt; }

 protected:
  explicit SequenceReader(EmptyInput empty = EmptyInput::Refused) : empty_(empty) {}
  /// Throws FileError if the sequence begun last in `into` exceeds the limit. Readers call it while the
  /// sequence grows.
  void check_residues(const SequenceBatch& into) const;
  /// The same for name, accession and description together.
  void check_characters(std::size_t characters) const;

 private:
  virtual bool read_record(SequenceBatch& into) = 0;

  Limits limits_;
  RecordRange range_;
  EmptyInput empty_;
  std::uint64_t records_ = 0;
};

/// Opens a sequence file, plain or gzip; "-" is standard input. Without `format` it is detected.
/// Throws FileError (see Input; not a sequence file; empty).
std::unique_ptr<SequenceReader> open_sequences(const std::string& path, const Alphabet& alphabet,
                                               std::optional<SequenceFormat> format = {},
                                               EmptyInput empty = EmptyInput::Refused);

/// The same for an input that was opened.
std::unique_ptr<SequenceReader> open_sequences(std::unique_ptr<Input> input, const Alphabet& alphabet,
                                               std::optional<SequenceFormat> format, EmptyInput empty);

/// Appends records until `into` holds `max_sequences` of them or at least `max_residues` residues (the last
/// record may exceed the bound); returns false if none was left.
bool read_block(SequenceReader& reader, SequenceBatch& into, std::size_t max_sequences,
                std::size_t max_residues);

/// Guesses the alphabet of sequences, digitised by `alphabet`, from about their first 1,000,000 residues:
/// nucleic if at least nine in ten of those that are not X, gaps or stops are A, C, G, T, U or N. Nothing if
/// fewer than `least` are not.
std::optional<AlphabetKind> likely_alphabet(const SequenceBatch& sequences, const Alphabet& alphabet,
                                            std::size_t least = 1);

/// A warning, one line without newline, if `sequences`, the first ones of the input `name`, digitised by the
/// profiles' alphabet, seem to be of the other alphabet; HMMER 2 does not warn. Nothing for fewer than ten
/// residues.
std::optional<std::string> alphabet_warning(const SequenceBatch& sequences, AlphabetKind profiles,
                                            const std::string& name);

}  // namespace gpuhmm
