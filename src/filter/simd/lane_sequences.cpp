// Distributes sequences to lanes and transposes the lanes into rows.
#include "filter/simd/lane_sequences.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "filter/simd/lane_transpose.hpp"

namespace gpuhmm::simd {

void LaneSequences::deal(const SequenceSet& sequences, std::span<const std::size_t> longest_first,
                         LaneSpacing spacing) {
  // Rows used * kLaneCount + lane; a heap, the lane with the fewest rows first.
  std::array<std::size_t, kLaneCount> uses;
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) uses[lane] = lane;
  std::size_t rows = 0;
  ends_.clear();
  for (const std::size_t sequence : longest_first) {
    std::ranges::pop_heap(uses, std::greater());
    std::size_t& use = uses.back();
    use += (spacing.separators + sequences.length(sequence)) * kLaneCount;
    const std::size_t end = use / kLaneCount;
    rows = std::max(rows, end);
    ends_.push_back({end, use % kLaneCount, sequence});
    std::ranges::push_heap(uses, std::greater());
  }
  rows = (rows + kRowsTransposed - 1) / kRowsTransposed * kRowsTransposed;
  rows_ = rows;
  lanes_.reserve(rows * kLaneCount);
  codes_.reserve(rows * kLaneCount);
  std::fill_n(lanes_.data(), rows * kLaneCount, kSeparator);
  for (End& end : ends_) {
    const auto residues = sequences.residues(end.sequence);
    std::memcpy(lanes_.data() + end.lane * rows + end.row - residues.size(), residues.data(),
                residues.size());
    end.row = (end.row + spacing.rows_at_once - 1) / spacing.rows_at_once * spacing.rows_at_once;
  }
  std::ranges::sort(ends_, std::less(), &End::row);
  transpose_lanes(lanes_.data(), rows, codes_.data());
}

}  // namespace gpuhmm::simd
