// Reads, masks and numbers sequences.
#include "search/sequence_blocks.hpp"

#include <algorithm>
#include <unordered_set>
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
  block.first = !std::exchange(begun_, true);
  if (block.first) pass_over(block);
  block.counted_before = counted_;
  extend(block, sequences, residues);
  return block;
}

// Reads and counts the records before the range.
void SequenceBlocks::pass_over(SequenceBlock& block) {
  constexpr std::size_t kSequences = std::size_t{1} << 16, kResidues = std::size_t{4} << 20;
  const std::uint64_t first = reader_->range().first;
  std::unordered_set<std::size_t> known;
  SequenceBatch passed;
  while (records_ < first) {
    passed.clear();
    const std::uint64_t most = std::min<std::uint64_t>(kSequences, first - records_);
    if (!read_block(*reader_, passed, static_cast<std::size_t>(most), kResidues)) return;
    records_ = reader_->records();
    for (std::size_t i = 0; i < passed.size(); ++i) {
      const std::size_t length = passed.length(i);
      if (count_empty_ || length > 0) ++counted_;
      if (length > 0 && known.insert(length).second) block.lengths_before.push_back(length);
    }
  }
}

// Appends records to the block; false if none was left.
bool SequenceBlocks::read(SequenceBlock& block, std::size_t sequences, std::size_t residues) {
  const RecordRange range = reader_->range();
  const std::size_t there = block.sequences.size();
  const std::uint64_t left = range.end > records_ ? range.end - records_ : 0;
  if (left == 0) return false;
  const std::size_t wanted = sequences > there ? sequences - there : 1;
  sequences = there + static_cast<std::size_t>(std::min<std::uint64_t>(wanted, left));
  try {
    if (!read_block(*reader_, block.sequences, sequences, residues)) return false;
    return reader_->records() < range.end;
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
  std::vector<bool> known(block.longest + 1);
  for (const std::size_t i : block.new_lengths) known[batch.length(i)] = true;
  for (std::size_t i = block.ordinals.size(); i < batch.size(); ++i) {
    const std::size_t length = batch.length(i);
    block.longest = std::max(block.longest, length);
    known.resize(block.longest + 1);
    if (length > 0 && !known[length]) block.new_lengths.push_back(i);
    known[length] = true;
    if (mask_) mask_repeats(batch.mutable_residues(i));
    if (count_empty_ || batch.length(i) > 0) ++counted_;
    block.ordinals.push_back(counted_);
  }
  block.counted_after = counted_;
}

}  // namespace gpuhmm
