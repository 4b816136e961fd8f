// The letters of a prepared database, for programs that look at no more of sequences.
#pragma once

#include <memory>
#include <string>

#include "formats/sequence/letter_reader.hpp"
#include "gpuhmm/database.hpp"

namespace gpuhmm {

/// Gives the letters of the alphabet that the residues of each sequence stand for.
class DatabaseLetters final : public LetterSource {
 public:
  explicit DatabaseLetters(std::unique_ptr<const Database> database) : database_(std::move(database)) {}

  bool read(std::string& to, std::size_t size, char end) override;
  std::uint64_t records() const override { return begun_; }
  std::optional<double> fraction_read() const override {
    return static_cast<double>(begun_) / static_cast<double>(database_->size());
  }

 private:
  std::unique_ptr<const Database> database_;
  std::uint64_t begun_ = 0;  // sequences
  std::size_t taken_ = 0;    // residues of the last one
  bool open_ = false;        // more of the last one may be left
};

/// The letters of a sequence file: a prepared database, recognised by content and checked over `threads`
/// threads, FASTA or FASTQ. Throws FileError.
std::unique_ptr<LetterSource> open_letters(const std::string& path, unsigned threads);

}  // namespace gpuhmm
