// Sequences of a run in blocks that are scored together: read, masked and numbered.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// Consecutive sequences of an input.
struct SequenceBlock {
  SequenceBatch sequences;
  /// The running number, from 1, of each sequence among all that count. Empty ones, if they do not count,
  /// have the number of the sequence before.
  std::vector<std::int64_t> ordinals;
  std::int64_t counted_before = 0, counted_after = 0;  ///< sequences up to the begin and the end of the block
  bool last = true;                                    ///< the input ends with this block
  std::optional<double> read;  ///< the part of the input up to the end of the block, if that is known
  double seconds = 0;          ///< that reading took
};

/// The blocks of one input, one after the other.
class SequenceBlocks {
 public:
  /// `mask`: X stands for repeats, as with --xnu. `count_empty`: sequences without residues count.
  SequenceBlocks(std::unique_ptr<SequenceReader> reader, bool mask, bool count_empty)
      : reader_(std::move(reader)), mask_(mask), count_empty_(count_empty) {}

  /// The input's name, for messages.
  const std::string& name() const { return reader_->name(); }
  /// The next block, of `sequences` sequences or `residues` residues, or one more than that. Throws
  /// FileError.
  SequenceBlock next(std::size_t sequences, std::size_t residues);
  /// Makes the block that next() gave last as large as this. Throws FileError.
  void extend(SequenceBlock& block, std::size_t sequences, std::size_t residues);

 private:
  std::unique_ptr<SequenceReader> reader_;
  bool mask_, count_empty_;
  std::int64_t counted_ = 0;
};

}  // namespace gpuhmm
