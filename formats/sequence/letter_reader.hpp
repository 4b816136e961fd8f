// The letters of FASTA and FASTQ records as they are in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "formats/sequence/line_source.hpp"

namespace gpuhmm {

/// Reads one after another; nothing is digitised. FASTA: records begin with ">"; FASTQ: with "@", sequence
/// and quality may take several lines. Blank lines may come before the first record.
class LetterReader {
 public:
  /// Throws FileError if the input cannot be read or begins with neither kind of record.
  explicit LetterReader(std::unique_ptr<Input> input);

  /// Adds letters without blanks to `to` until it holds `size` or more, or to the end of the input; false
  /// when there was nothing left. `end` follows the letters of every record. Throws FileError with the line
  /// for damaged FASTQ.
  bool read(std::string& to, std::size_t size, char end);
  /// The part of the file that has been read, 0 to 1; nothing for pipes.
  std::optional<double> fraction_read() const { return lines_.fraction_read(); }
  /// Records begun so far.
  std::uint64_t records() const { return records_; }

 private:
  bool read_fasta(std::string& to, std::size_t size, char end);
  bool read_fastq(std::string& to, std::size_t size, char end);
  void check_qualities(std::size_t letters);

  LineSource lines_;
  bool fastq_ = false;
  bool open_ = false;      // in the sequence of a record
  std::size_t taken_ = 0;  // FASTQ: letters of the record read so far
  std::uint64_t records_ = 0;
};

}  // namespace gpuhmm
