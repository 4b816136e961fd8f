// Counts records and their sizes.
#include <algorithm>

#include "gpuhmm/record_range.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kMostMarks = std::size_t{1} << 16;
constexpr std::size_t kBlockSequences = std::size_t{1} << 16, kBlockResidues = std::size_t{4} << 20;

}  // namespace

// When there are too many marks, every other one goes.
void RecordCensus::add(std::uint64_t size) {
  if (records_ % stride_ == 0 && marks_.size() == kMostMarks) {
    for (std::size_t i = 0; i < kMostMarks / 2; ++i) marks_[i] = marks_[2 * i];
    marks_.resize(kMostMarks / 2);
    stride_ *= 2;
  }
  if (records_ % stride_ == 0) marks_.push_back(size_);
  ++records_;
  size_ += size;
}

std::uint64_t RecordCensus::cut_behind(std::uint64_t size) const {
  const auto mark = std::ranges::lower_bound(marks_, size);
  return mark == marks_.end() ? records_ : static_cast<std::uint64_t>(mark - marks_.begin()) * stride_;
}

std::uint64_t RecordCensus::size_before(std::uint64_t record) const {
  return record >= records_ ? size_ : marks_[static_cast<std::size_t>(record / stride_)];
}

RecordRange RecordCensus::share(std::uint64_t number, std::uint64_t count) const {
  // The product of size and count may exceed 64 bits.
  const auto border = [&](std::uint64_t i) {
    return cut_behind(size_ / count * i + size_ % count * i / count);
  };
  RecordRange range{number == 1 ? 0 : border(number - 1), border(number)};
  if (number == count) range.end = RecordRange{}.end;
  return range;
}

RecordCensus census_of(SequenceReader& sequences) {
  RecordCensus census;
  SequenceBatch block;
  while (block.clear(), read_block(sequences, block, kBlockSequences, kBlockResidues)) {
    for (std::size_t i = 0; i < block.size(); ++i) census.add(block.length(i));
  }
  return census;
}

}  // namespace gpuhmm
