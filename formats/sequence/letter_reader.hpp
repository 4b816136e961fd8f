// The letters of sequences without their names: of FASTA and FASTQ records as they are in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "formats/sequence/line_source.hpp"

namespace gpuhmm {

/// The letters of records, one after the other.
class LetterSource {
 public:
  LetterSource() = default;
  virtual ~LetterSource() = default;
  LetterSource(const LetterSource&) = delete;
  LetterSource& operator=(const LetterSource&) = delete;

  /// Adds letters without blanks to `to` until it holds `size` or more, or to the end of the input; false
  /// when there was nothing left. `end` follows the letters of every record. Throws FileError.
  virtual bool read(std::string& to, std::size_t size, char end) = 0;
  /// Records begun so far.
  virtual std::uint64_t records() const = 0;
  /// The part of the file that has been read, 0 to 1; nothing for pipes.
  virtual std::optional<double> fraction_read() const = 0;
};

/// Reads one after another, of any length; nothing is digitised. FASTA: records begin with ">"; FASTQ: with
/// "@", sequence and quality may take several lines. Blank lines may come before the first record.
class LetterReader final : public LetterSource {
 public:
  /// Throws FileError if the input cannot be read or begins with neither kind of record.
  explicit LetterReader(std::unique_ptr<Input> input);

  /// Throws FileError with the line for damaged FASTQ.
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
