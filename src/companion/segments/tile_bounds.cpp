// Bounds of tiles. Consecutive elements are added to sums of groups, then the lanes of a
// vector walk along runs of these.
#include "companion/segments/tile_bounds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "companion/segments/lanes.hpp"
#include "util/vector_clones.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kGroups = kBoundTile / kBoundGroup;
constexpr std::size_t kRun = kGroups / kLanes;        // groups of a run
constexpr std::size_t kBlock = kLanes * kBoundGroup;  // elements that make a vector of groups
constexpr std::size_t kChunk = 1024;                  // elements that are brought near at once
constexpr unsigned kBits = 18;                        // shifted elements are in [-2^kBits, 2^kBits)
static_assert(kBoundGroup == 2 * kLanes && kRun % kLanes == 0 && kChunk % kBlock == 0);
static_assert((std::int64_t{1} << kBits) * kBoundTile / kLanes <= std::int64_t{1} << 30);

using Sums = std::array<std::int32_t, kGroups>;

// What is found beside the sums of groups.
struct Seen {
  std::uint32_t highest = 0, lowest = 0;  // sizes of the largest positive and negative elements
  std::uint32_t total = 0;                // of the elements as they are, modulo 2^32

  std::uint32_t largest() const { return std::max(highest, lowest); }
};

// Sums of neighbours: those of the left vector's halves are the first two of each half, those of the right
// vector's the others.
[[gnu::always_inline]] inline NarrowBits neighbour_sums(NarrowBits left, NarrowBits right) {
  // As floating numbers, for which compilers know the shuffle of two vectors that needs no table.
  typedef float Floats __attribute__((vector_size(sizeof(Narrow))));
  const Floats a = reinterpret_cast<Floats>(left), b = reinterpret_cast<Floats>(right);
  return reinterpret_cast<NarrowBits>(__builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14)) +
         reinterpret_cast<NarrowBits>(__builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15));
}

// Sixteen vectors of consecutive elements, two a group, to the vector of the groups' sums.
template <bool kShifted>
[[gnu::always_inline]] inline Narrow group_sums(const std::int32_t* values, int shift) {
  NarrowBits groups[kLanes];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLanes; ++i) {
    Narrow left = load_lanes(values + i * kBoundGroup);
    Narrow right = load_lanes(values + i * kBoundGroup + kLanes);
    if constexpr (kShifted) {
      left >>= shift;
      right >>= shift;
    }
    groups[i] = reinterpret_cast<NarrowBits>(left) + reinterpret_cast<NarrowBits>(right);
  }
  const NarrowBits left = neighbour_sums(neighbour_sums(groups[0], groups[1]),  //
                                         neighbour_sums(groups[2], groups[3]));
  const NarrowBits right = neighbour_sums(neighbour_sums(groups[4], groups[5]),  //
                                          neighbour_sums(groups[6], groups[7]));
  return reinterpret_cast<Narrow>(__builtin_shufflevector(left, right, 0, 1, 2, 3, 8, 9, 10, 11) +
                                  __builtin_shufflevector(left, right, 4, 5, 6, 7, 12, 13, 14, 15));
}

// A chunk is read by a loop as plain as that of a sum first: the processor's prefetching keeps up with that,
// not with the second loop.
template <bool kShifted>
[[gnu::always_inline]] inline Seen add_groups(const std::int32_t* values, unsigned shift, Sums& sums) {
  Narrow highest{}, lowest{};
  NarrowBits total{};
  for (std::size_t chunk = 0; chunk < kBoundTile; chunk += kChunk) {
    for (std::size_t at = chunk; at < chunk + kChunk; at += kLanes) {
      const Narrow row = load_lanes(values + at);
      highest = row > highest ? row : highest;
      lowest = row < lowest ? row : lowest;
      if constexpr (kShifted) total += reinterpret_cast<NarrowBits>(row);
    }
    for (std::size_t at = chunk; at < chunk + kChunk; at += kBlock) {
      *reinterpret_cast<UnalignedNarrow*>(sums.data() + at / kBoundGroup) =
          group_sums<kShifted>(values + at, static_cast<int>(shift));
    }
  }
  Seen seen;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    seen.highest = std::max(seen.highest, static_cast<std::uint32_t>(highest[lane]));
    seen.lowest = std::max(seen.lowest, -static_cast<std::uint32_t>(lowest[lane]));
    seen.total += total[lane];
  }
  return seen;
}

GPUHMM_VECTOR_CLONES_512(Seen, add_plain_groups, (const std::int32_t* values, Sums& sums), (values, sums)) {
  return add_groups<false>(values, 0, sums);
}

GPUHMM_VECTOR_CLONES_512(Seen, add_shifted_groups, (const std::int32_t* values, unsigned shift, Sums& sums),
                         (values, shift, sums)) {
  return add_groups<true>(values, shift, sums);
}

// The four numbers of the groups as if they were elements.
GPUHMM_VECTOR_CLONES_512(TileSums, groups_tile, (const Sums& sums), (sums)) {
  LaneRuns<Narrow, NarrowBits> runs;
  for (std::size_t at = 0; at < kRun; at += kLanes) {
    Narrow rows[kLanes];
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < kLanes; ++lane) rows[lane] = load_lanes(sums.data() + lane * kRun + at);
    transpose(rows);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLanes; ++i) runs.add(rows[i]);
  }
  TileSums tile;
  for (std::size_t lane = 0; lane < kLanes; ++lane) tile = merge(tile, runs.run(lane));
  return tile;
}

unsigned needed_shift(std::uint32_t largest) {
  const auto bits = static_cast<unsigned>(std::bit_width(largest));
  return bits > kBits ? bits - kBits : 0;
}

}  // namespace

TileBounds tile_bounds(std::span<const std::int32_t, kBoundTile> values, unsigned& shift) {
  alignas(64) Sums sums;
  Seen seen;
  unsigned used = shift;
  for (;;) {
    seen = used == 0 ? add_plain_groups(values.data(), sums) : add_shifted_groups(values.data(), used, sums);
    shift = needed_shift(seen.largest());
    if (shift <= used) break;
    used = shift;
  }
  const TileSums units = groups_tile(sums);
  TileBounds bounds;
  bounds.least = {units.total << used, units.prefix << used, units.suffix << used, units.best << used};
  // Either end of a segment goes to the next place that is looked at, within half a group; or both go inward,
  // which takes positive elements away, or outward, which adds negative ones.
  constexpr std::int64_t kBothEnds = 2, kGroup = kBoundGroup;
  bounds.slack =
      kBothEnds * std::min(kGroup / 2 * seen.largest(), (kGroup - 1) * std::min(seen.highest, seen.lowest));
  if (used > 0) {
    // Shifting takes less than 2^used from each element; of all together 32 bits tell how much.
    bounds.least.total += seen.total - static_cast<std::uint32_t>(bounds.least.total);
    bounds.slack += static_cast<std::int64_t>(kBoundTile) << used;
  }
  return bounds;
}

std::vector<std::size_t> undecided_tiles(std::span<const TileBounds> tiles) {
  TileSums whole;  // the least that it can be
  for (const TileBounds& tile : tiles) whole = merge(whole, tile.least);
  const std::int64_t wanted = std::max<std::int64_t>(whole.best, 1);
  std::vector<bool> possible(tiles.size());
  // With the lowest sum before it a tile can reach the best segment's score, or alone.
  std::int64_t sum = 0, lowest = 0;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const auto& [least, slack] = tiles[i];
    possible[i] = std::max(least.best, sum - lowest + least.prefix) + slack >= wanted;
    sum += least.total;
    lowest = std::min(lowest, sum - least.suffix - slack);
  }
  // With the highest sum after it.
  std::int64_t highest = sum;
  std::vector<std::size_t> undecided;
  for (std::size_t i = tiles.size(); i-- > 0;) {
    const auto& [least, slack] = tiles[i];
    const bool here = possible[i] || highest - (sum - least.suffix - slack) >= wanted;
    if (here && slack > 0) undecided.push_back(i);
    sum -= least.total;
    highest = std::max(highest, sum + least.prefix + slack);
  }
  return undecided;
}

}  // namespace gpuhmm
