// Joins the results of the blocks of a vector.
#include "companion/segments/blocks.hpp"

#include <algorithm>
#include <stdexcept>

#include "util/int128.hpp"

namespace gpuhmm {

TileSums merge(const TileSums& left, const TileSums& right) {
  return {left.total + right.total, std::max(left.prefix, left.total + right.prefix),
          std::max(right.suffix, left.suffix + right.total),
          std::max({left.best, right.best, left.suffix + right.prefix})};
}

template <class T>
Segment<std::int64_t> locate_best(std::span<const TileSums> tiles, std::uint64_t tile_size,
                                  std::span<const T> values) {
  struct Place {
    std::size_t tile = 0;
    std::int64_t sum = 0, lowest = 0;  // prefix sum before the tile; lowest prefix sum so far
  };
  Place at, best_at;
  std::int64_t best = 0;
  for (; at.tile < tiles.size(); ++at.tile) {
    const TileSums& tile = tiles[at.tile];
    const std::int64_t here = std::max(tile.best, at.sum - at.lowest + tile.prefix);
    if (here > best) {
      best = here;
      best_at = at;
    }
    at.lowest = std::min(at.lowest, at.sum + tile.total - tile.suffix);
    at.sum += tile.total;
  }
  if (best == 0) return {};

  // The first end: the one in the first tile that reaches the best sum.
  std::uint64_t end = best_at.tile * tile_size;
  std::int64_t sum = best_at.sum;
  for (std::int64_t lowest = best_at.lowest; sum - lowest < best;) {
    if (end == values.size()) throw std::logic_error("sums of another vector");
    lowest = std::min(lowest, sum);
    sum += static_cast<std::int64_t>(values[end++]);
  }
  // The last begin: the last place before the end where the prefix sum is lower by the best sum.
  const std::int64_t wanted = sum - best;
  std::uint64_t begin = end;
  const auto last_in = [&](std::uint64_t first, std::uint64_t last, std::int64_t before) {
    bool found = false;
    for (std::uint64_t i = first; i < last; ++i) {
      if (before == wanted) {
        begin = i;
        found = true;
      }
      before += static_cast<std::int64_t>(values[i]);
    }
    return found;
  };
  std::size_t tile = best_at.tile;
  std::int64_t before = best_at.sum;
  if (!last_in(tile * tile_size, end, before)) {
    do {
      if (tile == 0) throw std::logic_error("sums of another vector");
      --tile;
      before -= tiles[tile].total;
    } while (before + tiles[tile].total - tiles[tile].suffix != wanted);
    last_in(tile * tile_size, (tile + 1) * tile_size, before);
  }
  return {begin, end, best};
}

template Segment<std::int64_t> locate_best(std::span<const TileSums>, std::uint64_t,
                                           std::span<const std::int32_t>);
template Segment<std::int64_t> locate_best(std::span<const TileSums>, std::uint64_t,
                                           std::span<const std::int64_t>);

template <class Score>
std::vector<std::size_t> joinable(std::span<const BlockSegment<Score>> segments, Score total) {
  std::vector<std::size_t> left, right;
  Score highest{};
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!(segments[i].high > highest)) continue;
    highest = segments[i].high;
    left.push_back(i);
  }
  Score lowest = total;
  for (std::size_t i = segments.size(); i-- > 0;) {
    if (!(segments[i].low < lowest)) continue;
    lowest = segments[i].low;
    right.push_back(i);
  }
  // A segment may be in both lists; it is then the last of `left` and the first of the right ones.
  if (!left.empty() && !right.empty() && left.back() == right.back()) right.pop_back();
  left.insert(left.end(), right.rbegin(), right.rend());
  return left;
}

template <class Score>
std::vector<Segment<Score>> join_blocks(std::span<const SegmentBlock<Score>> blocks) {
  MaximalSegmentStack<Score> stack;
  Score before{};
  for (const SegmentBlock<Score>& block : blocks) {
    for (const std::size_t i : joinable<Score>(block.segments, block.total)) {
      const BlockSegment<Score>& segment = block.segments[i];
      stack.push(block.offset + segment.begin, block.offset + segment.end, before + segment.low,
                 before + segment.high);
    }
    before += block.total;
  }
  // A segment of the stack replaces the segments of blocks that it covers.
  const std::vector<Segment<Score>> joined = stack.segments();
  std::vector<Segment<Score>> all;
  std::size_t next = 0;
  for (const SegmentBlock<Score>& block : blocks) {
    for (const BlockSegment<Score>& segment : block.segments) {
      const std::uint64_t begin = block.offset + segment.begin;
      while (next < joined.size() && joined[next].begin <= begin) all.push_back(joined[next++]);
      if (next > 0 && begin < joined[next - 1].end) continue;
      all.push_back({begin, block.offset + segment.end, segment.high - segment.low});
    }
  }
  return all;
}

template std::vector<std::size_t> joinable(std::span<const BlockSegment<std::int64_t>>, std::int64_t);
template std::vector<Segment<std::int64_t>> join_blocks(std::span<const SegmentBlock<std::int64_t>>);
template std::vector<std::size_t> joinable(std::span<const BlockSegment<Int128>>, Int128);
template std::vector<Segment<Int128>> join_blocks(std::span<const SegmentBlock<Int128>>);
template std::vector<std::size_t> joinable(std::span<const BlockSegment<double>>, double);
template std::vector<Segment<double>> join_blocks(std::span<const SegmentBlock<double>>);

}  // namespace gpuhmm
