// Reads the letters of FASTA and FASTQ records, unchanged and without names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "formats/sequence/line_source.hpp"
#include "gpuhmm/alphabet.hpp"

namespace gpuhmm {

/// The letters of records, one after the other.
class LetterSource {
 public:
  LetterSource() = default;
  virtual ~LetterSource() = default;
  LetterSource(const LetterSource&) = delete;
  LetterSource& operator=(const LetterSource&) = delete;

  /// Appends letters without blanks to `to` until it has `size` characters or more or the input ends; false
  /// if nothing was left. `end` follows the letters of every record. Throws FileError.
  virtual bool read(std::string& to, std::size_t size, char end) = 0;
  /// Records begun so far.
  virtual std::uint64_t records() const = 0;
  /// The part of the file that has been read, 0 to 1; nothing for pipes.
  virtual std::optional<double> fraction_read() const = 0;
  /// What the letters are, if the file tells.
  virtual std::optional<AlphabetKind> alphabet() const { return std::nullopt; }
};

/// Reads records of any length. FASTA records begin with ">", FASTQ records with "@"; sequence and qualities
/// may take several lines. Blank lines may precede the first record.
class LetterReader final : public LetterSource {
 public:
  /// Throws FileError if the input cannot be read or does not begin with a record.
  explicit LetterReader(std::unique_ptr<Input> input);

  /// Throws FileError that names the line for damaged FASTQ.
  bool read(std::string& to, std::size_t size, char end) override;
  std::uint64_t records() const override { return records_; }
  std::optional<double> fraction_read() const override { return lines_.fraction_read(); }

 private:
  bool read_fasta(std::string& to, std::size_t size, char end);
  bool read_fastq(std::string& to, std::size_t size, char end);
  void check_qualities(std::size_t letters);

  LineSource lines_;
  bool fastq_ = false;
  bool open_ = false;      // in the sequence of a record
  bool in_name_ = false;   // in a line that names a record
  std::size_t taken_ = 0;  // FASTQ: letters of the record read so far
  std::uint64_t records_ = 0;
};

}  // namespace gpuhmm
