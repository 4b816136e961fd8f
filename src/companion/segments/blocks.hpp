// Splits the search of a vector into blocks and joins the results. Host threads and devices use the same
// rules, so the answer does not depend on where a vector was cut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "companion/segments/segment.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

/// Sum, best prefix, best suffix and best segment of a tile, as in BlockSummary but without positions.
struct TileSums {
  std::int64_t total = 0, prefix = 0, suffix = 0, best = 0;
  bool operator==(const TileSums&) const = default;
};

/// The numbers of tile `left` followed by tile `right`.
TileSums merge(const TileSums& left, const TileSums& right);

/// The best segment of `values`. `tiles` has the numbers of each tile of `tile_size` elements; the last tile
/// may be shorter. Reads at most three tiles of the values. Throws std::logic_error if it notices that
/// `tiles` do not belong to `values`; it does not notice every error.
template <class T>
Segment<std::int64_t> locate_best(std::span<const TileSums> tiles, std::uint64_t tile_size,
                                  std::span<const T> values);

/// A maximal segment of a block, with the block's prefix sums before it (`low`) and at its end (`high`).
template <class Score>
struct BlockSegment {
  std::uint64_t begin = 0, end = 0;  // half-open, counted from the block's first element
  Score low{}, high{};
};

/// A block of a vector with its maximal segments, in order.
template <class Score>
struct SegmentBlock {
  std::uint64_t offset = 0;  // position of the block's first element in the vector
  Score total{};             // of all elements of the block
  std::vector<BlockSegment<Score>> segments;
};

/// Indices, ascending, of the segments of a block that can become part of a segment that crosses an end of
/// the block. Across the left end these are the segments whose `high` exceeds that of all segments before
/// them; across the right end those whose `low` is below that of all segments after them, and below `total`.
/// The former precede the latter; at most one segment is in both groups.
template <class Score>
std::vector<std::size_t> joinable(std::span<const BlockSegment<Score>> segments, Score total);

/// All maximal segments of a vector, in order. `blocks`: its consecutive blocks.
template <class Score>
std::vector<Segment<Score>> join_blocks(std::span<const SegmentBlock<Score>> blocks);

/// All maximal segments of one block by the stack of Ruzzo and Tompa. `offset`: position of the block's first
/// element in the vector. `convert`: as for maximal_segment_stack.
template <class Score, class T, class Convert>
SegmentBlock<Score> segment_block(std::span<const T> values, std::uint64_t offset, const Convert& convert) {
  const auto stack = maximal_segment_stack<Score>(values, convert);
  SegmentBlock<Score> block{offset, {}, {}};
  for (const T value : values) block.total += convert(value);
  const auto found = stack.segments();
  block.segments.reserve(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    block.segments.push_back({found[i].begin, found[i].end, stack.low(i), stack.low(i) + found[i].score});
  }
  return block;
}

/// Searches all blocks of `block_size` elements (the last may be shorter) on `threads` threads.
template <class Score, class T, class Convert>
std::vector<SegmentBlock<Score>> segment_blocks(std::span<const T> values, std::size_t block_size,
                                                unsigned threads, const Convert& convert) {
  std::vector<SegmentBlock<Score>> blocks((values.size() + block_size - 1) / block_size);
  parallel_for(threads, blocks.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t begin = i * block_size;
      const std::size_t size = std::min(block_size, values.size() - begin);
      blocks[i] = segment_block<Score>(values.subspan(begin, size), begin, convert);
    }
  });
  return blocks;
}

}  // namespace gpuhmm
