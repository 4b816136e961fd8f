// Sequences of a prepared database as letters, for commands that use neither names nor profiles.
#pragma once

#include <memory>
#include <string>

#include "formats/sequence/letter_reader.hpp"
#include "gpuhmm/database.hpp"

namespace gpuhmm {

/// Reads the residues of each sequence as letters of the database's alphabet.
class DatabaseLetters final : public LetterSource {
 public:
  explicit DatabaseLetters(std::unique_ptr<const Database> database) : database_(std::move(database)) {}

  bool read(std::string& to, std::size_t size, char end) override;
  std::uint64_t records() const override { return begun_; }
  std::optional<AlphabetKind> alphabet() const override { return database_->alphabet(); }
  std::optional<double> fraction_read() const override {
    return static_cast<double>(begun_) / static_cast<double>(database_->size());
  }

 private:
  std::unique_ptr<const Database> database_;
  std::uint64_t begun_ = 0;  // number of sequences begun
  std::size_t taken_ = 0;    // residues read of the last sequence
  bool open_ = false;        // the last sequence has not ended
};

/// Opens a sequence file for its letters: a prepared database (recognised by its content and checked with
/// `threads` threads), FASTA or FASTQ. Throws FileError.
std::unique_ptr<LetterSource> open_letters(const std::string& path, unsigned threads);

}  // namespace gpuhmm
