// Reading sequences of any supported format into batches.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "formats/io/error.hpp"
#include "formats/sequence/sequence_format.hpp"
#include "plan7/alphabet.hpp"
#include "plan7/sequence.hpp"

namespace gpuhmm {

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

}  // namespace gpuhmm
