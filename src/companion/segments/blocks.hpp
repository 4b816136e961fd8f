// Vectors searched in blocks: what is kept of each, and how the answer for the whole comes of it. Threads and
// devices share it; so the answer does not depend on how a vector was cut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "companion/segments/segment.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

/// The four numbers of a tile (BlockSummary) without positions.
struct TileSums {
  std::int64_t total = 0, prefix = 0, suffix = 0, best = 0;
  bool operator==(const TileSums&) const = default;
};

/// Of a tile followed by another.
TileSums merge(const TileSums& left, const TileSums& right);

/// The best segment of `values`, whose tiles of `tile_size` elements (the last may be shorter) have the four
/// numbers `tiles`. Reads at most three tiles of the values. Throws std::logic_error for some tiles that are
/// not those of the values.
template <class T>
Segment<std::int64_t> locate_best(std::span<const TileSums> tiles, std::uint64_t tile_size,
                                  std::span<const T> values);

/// A maximal segment of a block with the prefix sums before and after it, counted from the block's start.
template <class Score>
struct BlockSegment {
  std::uint64_t begin = 0, end = 0;  // elements of the block
  Score low{}, high{};
};

/// All maximal segments of a block, in order.
template <class Score>
struct SegmentBlock {
  std::uint64_t offset = 0;  // of the block's first element in the vector
  Score total{};             // of all elements of the block
  std::vector<BlockSegment<Score>> segments;
};

/// Which maximal segments of a block can take part in one that crosses the block's ends: from the left those
/// that rise above all before them, to the right those whose `low` nothing after them reaches down to. In a
/// block the former all stand before the latter, or are one. Indexes into `segments`, rising.
template <class Score>
std::vector<std::size_t> joinable(std::span<const BlockSegment<Score>> segments, Score total);

/// All maximal segments of the vector made of consecutive blocks.
template <class Score>
std::vector<Segment<Score>> join_blocks(std::span<const SegmentBlock<Score>> blocks);

/// All maximal segments of one block by the stack of Ruzzo and Tompa; `convert` as there.
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

/// All blocks of `block_size` elements (the last may be shorter), on `threads` threads.
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
