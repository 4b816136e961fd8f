// Sequences of a prepared database, or of a sequence file, for programs that take either.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "formats/database/database.hpp"
#include "formats/sequence/sequence_reader.hpp"

namespace gpuhmm {

/// Reads a prepared database into batches, exactly as the file it was made from would be read.
class DatabaseReader final : public SequenceReader {
 public:
  /// Throws FileError if the database's alphabet is not `alphabet`.
  DatabaseReader(std::shared_ptr<const Database> database, const Alphabet& alphabet);

  const std::string& name() const override { return database_->name(); }
  /// The part of the residues that has been read, 0 to 1.
  std::optional<double> fraction_read() const override;
  void make_room(SequenceBatch& into, std::size_t max_sequences, std::size_t max_residues) const override;

 private:
  bool read_record(SequenceBatch& into) override;

  std::shared_ptr<const Database> database_;
};

/// The sequences that a search was given, by content: a prepared database or a file that open_sequences
/// reads. They can be opened for one pass after the other.
class SequenceSource {
 public:
  /// A prepared database is mapped and checked here, over `threads` threads; other files are not yet touched.
  /// With `format` it is never a database. Throws FileError (see Database).
  SequenceSource(std::string path, std::optional<SequenceFormat> format, unsigned threads,
                 EmptyInput empty = EmptyInput::Refused);

  /// A reader that stands at the first sequence. Throws FileError (see open_sequences, DatabaseReader).
  std::unique_ptr<SequenceReader> open(const Alphabet& alphabet) const;
  /// The prepared database; null if it is another file.
  const Database* database() const { return database_.get(); }

 private:
  std::string path_;
  std::optional<SequenceFormat> format_;
  EmptyInput empty_;
  std::shared_ptr<const Database> database_;
};

}  // namespace gpuhmm
