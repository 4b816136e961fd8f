// Reads, masks and numbers sequences.
#include "search/sequence_blocks.hpp"

#include "plan7/xnu.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

SequenceBlock SequenceBlocks::next(std::size_t sequences, std::size_t residues) {
  SequenceBlock block;
  block.counted_before = counted_;
  extend(block, sequences, residues);
  return block;
}

void SequenceBlocks::extend(SequenceBlock& block, std::size_t sequences, std::size_t residues) {
  const Stopwatch watch(block.seconds);
  SequenceBatch& batch = block.sequences;
  block.last = !read_block(*reader_, batch, sequences, residues) ||
               (batch.size() < sequences && batch.residue_count() < residues);
  block.read = block.last ? 1.0 : reader_->fraction_read();
  block.ordinals.reserve(batch.size());
  for (std::size_t i = block.ordinals.size(); i < batch.size(); ++i) {
    if (mask_) mask_repeats(batch.mutable_residues(i));
    if (count_empty_ || batch.length(i) > 0) ++counted_;
    block.ordinals.push_back(counted_);
  }
  block.counted_after = counted_;
}

}  // namespace gpuhmm
