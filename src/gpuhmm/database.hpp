// Prepared databases: digitised sequences in a file that is mapped into memory and used in place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/sequence.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// True if `path` is a regular file that starts like a prepared database. False for "-", pipes and files that
/// cannot be opened.
bool is_database(const std::string& path);

/// What HMMER3 reads otherwise than HMMER2 in the file that a database was made from.
struct Hmmer3Differences {
  /// For each residue whose letter HMMER2's code does not tell: its index among all residues in the lower 56
  /// bits, its letter of HMMER3's alphabet in the upper 8. By ascending index.
  std::span<const std::uint64_t> residues;
  /// Names, accessions and descriptions, one after the other.
  std::string_view text;
  /// Two numbers for each of them: 3 * sequence + 0, 1 or 2 for name, accession or description, ascending;
  /// and its end in `text`.
  std::span<const std::uint64_t> text_entries;
  /// HMMER3 reads this many sequences, then fails with `failure`, which is empty if it reads all.
  std::uint64_t sequences = 0;
  std::string_view failure;
  /// What HMMER3 says (hmmer3::ParseFailure::line); empty if it has no words.
  std::string_view hmmer3_line;
};

/// The sequences of a prepared database in input order. The constructor checks everything: checksums, codes,
/// offsets, order. The file must not be changed in place while it is open, but may be replaced; truncating it
/// ends the program by a signal.
class Database {
 public:
  /// Maps the file and checks it over `threads` threads. Throws FileError (no such file, not a database,
  /// another version or byte order, truncated, damaged).
  explicit Database(const std::string& path, unsigned threads = 1);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// The path as given, for messages.
  const std::string& name() const;
  /// The alphabet of the residue codes.
  AlphabetKind alphabet() const { return alphabet_; }
  std::size_t size() const { return residue_ends_.size(); }
  /// The number of sequences that have residues.
  std::size_t with_residues() const;
  /// Residues of all sequences together.
  std::uint64_t residue_count() const { return residues_.size(); }
  /// Residues of the longest sequence.
  std::uint64_t longest() const { return longest_first_.empty() ? 0 : length(longest_first_[0]); }
  /// Length of sequence i in residues.
  std::uint64_t length(std::size_t i) const { return residue_ends_[i] - residues_before(i); }
  /// Residues and characters of names, accessions and descriptions of the sequences before sequence i; i may
  /// be size().
  std::uint64_t residues_before(std::size_t i) const { return i == 0 ? 0 : residue_ends_[i - 1]; }
  std::uint64_t characters_before(std::size_t i) const { return i == 0 ? 0 : text_ends_[3 * i - 1]; }
  /// The end of the sequences that read_block with these bounds will append to `into`, from sequence `first`
  /// on.
  std::size_t block_end(std::size_t first, const SequenceBatch& into, std::size_t max_sequences,
                        std::size_t max_residues) const;
  /// The fraction of the residues, 0 to 1, in the sequences before sequence i.
  double fraction(std::size_t i) const;
  /// Sequence i; the view is into the mapped file.
  SequenceView operator[](std::size_t i) const;
  /// Codes of all sequences, concatenated; begins at a page boundary.
  std::span<const std::uint8_t> residues() const { return residues_; }
  /// Indices of all sequences by decreasing length, those of equal length in input order.
  std::span<const std::uint64_t> longest_first() const { return longest_first_; }
  /// Null if the database is of version 1, made before gpuhmm knew HMMER3.
  const Hmmer3Differences* hmmer3() const { return hmmer3_ ? &*hmmer3_ : nullptr; }

 private:
  class Opening;
  struct File;

  std::unique_ptr<File> file_;
  AlphabetKind alphabet_ = AlphabetKind::Amino;
  std::span<const std::uint8_t> residues_;
  std::span<const char> text_;
  std::span<const std::uint64_t> text_ends_, residue_ends_, longest_first_;
  std::optional<Hmmer3Differences> hmmer3_;
};

/// Whether the database's sequences are of `alphabet`, or of HMMER2's alphabet for the same molecules.
bool has_alphabet(const Database& database, const Alphabet& alphabet);
/// Throws FileError, which calls the database `name`, if they are not.
void check_alphabet(const Database& database, const Alphabet& alphabet, const std::string& name);

/// Reads a prepared database into batches with HMMER2's alphabets, with the same result as reading the file
/// that it was made from; SequenceSource also reads it with HMMER3's.
class DatabaseReader final : public SequenceReader {
 public:
  /// `name` is for messages. Throws FileError if the database's alphabet is not `alphabet`.
  DatabaseReader(std::shared_ptr<const Database> database, const Alphabet& alphabet, std::string name);

  const std::string& name() const override { return name_; }
  std::optional<Contents> contents() const override {
    return Contents{database_->size(), database_->with_residues()};
  }
  /// The fraction of the residues that has been read, 0 to 1.
  std::optional<double> fraction_read() const override;
  void make_room(SequenceBatch& into, std::size_t max_sequences, std::size_t max_residues) const override;

 private:
  bool read_record(SequenceBatch& into) override;

  std::shared_ptr<const Database> database_;
  std::string name_;
};

/// Sequences in memory, for many runs.
struct HeldSequences {
  std::shared_ptr<const std::string> bytes;  ///< of a sequence file, decompressed; null: there is only this:
  std::shared_ptr<const Database> database;  ///< prepared from the bytes; null: there are only those
};

/// The sequences of a search: a prepared database or a file for open_sequences; the content decides which.
/// They can be opened several times, once for each pass.
class SequenceSource {
 public:
  /// Maps and checks a prepared database with `threads` threads; does not touch other files yet. With
  /// `format` the file is never taken for a database. Throws FileError (see Database).
  SequenceSource(std::string path, std::optional<SequenceFormat> format, unsigned threads,
                 EmptyInput empty = EmptyInput::Refused);

  /// The same of a file `path` whose content is in memory; `path` is for messages, "-" is standard input.
  /// Where there are both, the database is used as far as it gives the same sequences as the bytes.
  SequenceSource(std::string path, std::optional<SequenceFormat> format, HeldSequences held,
                 EmptyInput empty);

  /// Reads a file that can be opened only once (standard input, a pipe) into memory, so that it can be opened
  /// again. Throws FileError.
  void keep();

  /// A reader at the first sequence; it gives the same sequences for a file and for the database made from
  /// it. Throws FileError (see open_sequences): another alphabet than the database's, a HMMER3 alphabet and a
  /// database of version 1.
  std::unique_ptr<SequenceReader> open(const Alphabet& alphabet) const;
  /// The prepared database; null for any other file.
  const Database* database() const { return database_.get(); }

 private:
  bool is_database_like_bytes(const Alphabet& alphabet) const;

  std::string path_;
  std::optional<SequenceFormat> format_;
  EmptyInput empty_;
  std::shared_ptr<const Database> database_;
  std::shared_ptr<const std::string> kept_;  // all bytes of the file, decompressed; may be null
};

/// The contents of a new database.
struct DatabaseSummary {
  AlphabetKind alphabet = AlphabetKind::Amino;
  std::uint64_t sequences = 0;
  std::uint64_t residues = 0;
  /// Why searches with HMMER3's profiles will fail; empty if they will not.
  std::string hmmer3_failure;
};

/// Reads the sequences of `input` ("-": standard input) and writes them to `output`, which appears only when
/// complete. Without `format` it is detected. Without `alphabet` it is guessed from the first million
/// residues: nucleic if at least nine in ten of those that are not X are A, C, G, T, U or N. Needs memory for
/// a few MiB, the longest record, and 16 bytes per sequence. Throws FileError.
DatabaseSummary make_database(const std::string& input, std::optional<SequenceFormat> format,
                              const std::string& output, std::optional<AlphabetKind> alphabet);

}  // namespace gpuhmm
