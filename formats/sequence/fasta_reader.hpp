// Reads FASTA, and A2M, which is FASTA with gaps, in large blocks.
#pragma once

#include <memory>
#include <string>

#include "formats/sequence/digitiser.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// Reads FASTA files as HMMER2. A record begins with ">" in the first column. Blank lines may precede the
/// first record; HMMER stops there (docs/spec/alphabet-sequences.md, 2.3).
class FastaReader : public SequenceReader {
 public:
  static constexpr std::size_t kBlock = std::size_t{256} << 10;

  /// `block` bytes are read at a time; records may be of any length.
  FastaReader(std::unique_ptr<Input> input, const Digitiser& digitiser, std::size_t block = kBlock,
              EmptyInput empty = EmptyInput::Refused);

  const std::string& name() const override { return input_->name(); }
  std::optional<double> fraction_read() const override { return input_->fraction_read(); }
  /// Only for plain files: they have fewer residues than bytes.
  void make_room(SequenceBatch& into, std::size_t max_sequences, std::size_t max_residues) const override;

 protected:
  /// Goes to the first ">"; false at the end of the file.
  virtual bool find_first_record();
  /// Consumes the first line of a record and begins its sequence; false if that is no record: for HMMER2
  /// where the file ends within the line.
  virtual bool begin_record(SequenceBatch& into);
  /// End of the residues that begin at `at_`: `at_` if a record begins there, else the next ">", which may
  /// begin a record, or the end of the buffer.
  virtual std::size_t residues_end() const;
  /// Appends the residues of a part of a record. Throws FileError for illegal characters.
  virtual void append_residues(std::string_view part, SequenceBatch& into);

  bool fill();
  /// Consumes bytes up to the first of `ends`, which it consumes as well, and appends them to `header_`;
  /// false at the end of the file.
  bool take_until(std::string_view ends);
  [[noreturn]] void fail(const std::string& message) const;

  std::unique_ptr<Input> input_;
  Digitiser digitiser_;
  std::size_t block_;
  std::unique_ptr<char[]> buffer_;  // `block_` bytes, not zeroed: that would take long for a small file
  std::size_t at_ = 0, end_ = 0;    // the unread part of the buffer
  bool line_start_ = true;          // `at_` is the first column of a line
  std::string header_;              // the record's first line

 private:
  bool read_record(SequenceBatch& into) override;
};

}  // namespace gpuhmm
