// Reads FASTA, and A2M, which is FASTA with gaps, in large blocks.
#pragma once

#include <memory>
#include <string>

#include "formats/sequence/digitiser.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// Reads FASTA files. A record begins with ">" in the first column. Blank lines may precede the first record;
/// HMMER stops there (docs/spec/alphabet-sequences.md, 2.3).
class FastaReader : public SequenceReader {
 public:
  static constexpr std::size_t kBlock = std::size_t{256} << 10;

  /// `block` bytes are read at a time; records may be of any length.
  FastaReader(std::unique_ptr<Input> input, const Digitiser& digitiser, std::size_t block = kBlock);

  const std::string& name() const override { return input_->name(); }
  std::optional<double> fraction_read() const override { return input_->fraction_read(); }

 private:
  bool read_record(SequenceBatch& into) override;
  bool fill();
  bool find_first_record();
  void take_header();
  std::size_t residues_end() const;
  [[noreturn]] void fail(const std::string& message) const;

  std::unique_ptr<Input> input_;
  Digitiser digitiser_;
  std::size_t block_;
  std::unique_ptr<char[]> buffer_;  // `block_` bytes, not zeroed: that would take long for a small file
  std::size_t at_ = 0, end_ = 0;    // the unread part of the buffer
  bool line_start_ = true;          // `at_` is the first column of a line
  std::string header_;              // the record's first line
};

}  // namespace gpuhmm
