// Sequences of a run in blocks that are scored together: read, masked and numbered.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filter/sequence_set.hpp"
#include "gpuhmm/sequence.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// Consecutive sequences of an input.
struct SequenceBlock {
  SequenceBatch sequences;
  /// The number of each sequence, from 1, among all counted ones. A sequence that is not counted because it
  /// is empty has the number of the previous one.
  std::vector<std::int64_t> ordinals;
  std::int64_t counted_before = 0, counted_after = 0;  ///< sequences before and up to the end of the block
  std::size_t longest = 0;                             ///< residues of the longest sequence
  /// The sequences with residues that are the first of their length in the block, in their order. Only these
  /// can change HMMER's matrix (MatrixRule): another of the same length finds it as the first has left it.
  std::vector<std::size_t> new_lengths;
  bool first = true;  ///< no other block comes before this one
  bool last = true;   ///< the input, or the part of it to read, ends here
  /// Of the first block: the lengths of the sequences before the part of the input to read, in their order,
  /// each length once.
  std::vector<std::size_t> lengths_before;
  std::optional<double> read;  ///< the fraction of the input up to the end of the block, if known
  double seconds = 0;          ///< time for reading
  std::shared_ptr<const LengthOrder> by_length;  ///< the order of the sequences; null: not sorted yet

  /// Sorts the sequences, to which none may be added then.
  void sort() { by_length = SequenceSet(sequences).by_length(); }
};

/// The blocks of one input, or of the part of it that SequenceReader::range() gives, one after the other.
/// Numbers count all sequences of the input.
class SequenceBlocks {
 public:
  /// `mask`: replace repeats by X, as --xnu does. `count_empty`: count sequences without residues.
  SequenceBlocks(std::unique_ptr<SequenceReader> reader, bool mask, bool count_empty)
      : reader_(std::move(reader)), mask_(mask), count_empty_(count_empty) {}

  /// From now on an error in a record ends the input in front of that record.
  void end_at_errors() { end_at_errors_ = true; }
  /// The error that has ended the input; null if there was none.
  std::exception_ptr failure() const { return failure_; }

  /// The input's name, for messages.
  const std::string& name() const { return reader_->name(); }
  /// How many sequences of the whole input will be counted, if that is known before they are read.
  std::optional<std::int64_t> counted_in_all() const;
  /// The next block: ends with the sequence that reaches `sequences` sequences or `residues` residues. Throws
  /// FileError.
  SequenceBlock next(std::size_t sequences, std::size_t residues);
  /// Extends the last block of next() to this size. Throws FileError.
  void extend(SequenceBlock& block, std::size_t sequences, std::size_t residues);

 private:
  bool read(SequenceBlock& block, std::size_t sequences, std::size_t residues);
  void pass_over(SequenceBlock& block);

  std::unique_ptr<SequenceReader> reader_;
  bool mask_, count_empty_;
  bool end_at_errors_ = false;
  std::exception_ptr failure_;
  std::uint64_t records_ = 0;  // in the blocks so far and before them
  bool begun_ = false;
  std::int64_t counted_ = 0;
};

}  // namespace gpuhmm
