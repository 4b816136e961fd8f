// Reads, masks and numbers sequences.
#include "search/sequence_blocks.hpp"

#include <algorithm>
#include <utility>

#include "plan7/xnu.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

std::optional<std::int64_t> SequenceBlocks::counted_in_all() const {
  const std::optional<SequenceReader::Contents> contents = reader_->contents();
  if (!contents) return std::nullopt;
  return static_cast<std::int64_t>(count_empty_ ? contents->records : contents->with_residues);
}

SequenceBlock SequenceBlocks::next(std::size_t sequences, std::size_t residues) {
  SequenceBlock block;
  block.counted_before = counted_;
  extend(block, sequences, residues);
  return block;
}

// Appends records to the block; false if none was left.
bool SequenceBlocks::read(SequenceBlock& block, std::size_t sequences, std::size_t residues) {
  try {
    return read_block(*reader_, block.sequences, sequences, residues);
  } catch (const FileError&) {
    if (!end_at_errors_) throw;
    failure_ = std::current_exception();
  }
  SequenceBatch whole;  // without the part of the damaged record
  for (std::size_t i = 0; i < block.ordinals.size() + (reader_->records() - records_); ++i) {
    const SequenceView sequence = block.sequences[i];
    whole.begin_sequence(sequence.name, sequence.accession, sequence.description);
    whole.append_residues(sequence.residues);
  }
  block.sequences = std::move(whole);
  return false;
}

void SequenceBlocks::extend(SequenceBlock& block, std::size_t sequences, std::size_t residues) {
  const Stopwatch watch(block.seconds);
  SequenceBatch& batch = block.sequences;
  block.last =
      !read(block, sequences, residues) || (batch.size() < sequences && batch.residue_count() < residues);
  records_ = reader_->records();
  block.read = block.last ? 1.0 : reader_->fraction_read();
  block.ordinals.reserve(batch.size());
  for (std::size_t i = block.ordinals.size(); i < batch.size(); ++i) {
    block.longest = std::max(block.longest, batch.length(i));
    if (mask_) mask_repeats(batch.mutable_residues(i));
    if (count_empty_ || batch.length(i) > 0) ++counted_;
    block.ordinals.push_back(counted_);
  }
  block.counted_after = counted_;
}

}  // namespace gpuhmm
