// Computes bounds of tiles: adds consecutive elements to sums of groups, then runs Kadane's recurrence over
// eight runs of these sums, one per lane.
#include "companion/segments/tile_bounds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "companion/segments/tile_sums.hpp"

#define HWY_TARGET_INCLUDE "companion/segments/tile_bounds.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "companion/segments/runs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

constexpr std::size_t kGroups = kBoundTile / kBoundGroup;
constexpr std::size_t kRun = kGroups / kRuns;        // groups in a run
constexpr std::size_t kBlock = kRuns * kBoundGroup;  // elements of eight groups
constexpr std::size_t kChunk = 1024;                 // elements brought into the cache at a time
constexpr unsigned kBits = 18;                       // shifted elements are in [-2^kBits, 2^kBits)
static_assert(kRun % kRuns == 0 && kChunk % kBlock == 0);
static_assert((std::int64_t{1} << kBits) * kBoundTile / kRuns <= std::int64_t{1} << 30);

using Elements = Eight<std::int32_t>;
using Vector = hn::Vec<Elements::D>;
constexpr Elements::D kElements;
static_assert(kBoundGroup % Elements::kLanes == 0);

using Sums = std::array<std::int32_t, kGroups>;

// What sum_groups finds besides the sums.
struct Seen {
  std::uint32_t highest = 0, lowest = 0;  // largest magnitudes of positive and of negative elements
  std::uint32_t total = 0;                // sum of the elements without shift, modulo 2^32

  std::uint32_t largest() const { return std::max(highest, lowest); }
};

// Interleaves units of `left` and `right` into two vectors and returns their sum.
template <class Unit>
HWY_INLINE Vector interleaved_sum(Vector left, Vector right) {
  const hn::Repartition<Unit, Elements::D> units;
  const auto a = hn::BitCast(units, left), b = hn::BitCast(units, right);
  return wrapped_sum(kElements, hn::BitCast(kElements, hn::InterleaveLower(units, a, b)),
                     hn::BitCast(kElements, hn::InterleaveUpper(units, a, b)));
}

// The sum of the vectors of a group.
template <bool kShifted>
HWY_INLINE Vector group_sum(const std::int32_t* group, int shift) {
  Vector sum = hn::Zero(kElements);
#pragma GCC unroll 4
  for (std::size_t at = 0; at < kBoundGroup; at += Elements::kLanes) {
    const Vector elements = hn::LoadU(kElements, group + at);
    sum = wrapped_sum(kElements, sum, kShifted ? hn::ShiftRightSame(elements, shift) : elements);
  }
  return sum;
}

// The sums of four groups, separately for each 16 bytes of the vectors. Takes two groups at a time, because
// the vectors of four do not fit the registers.
template <bool kShifted>
HWY_INLINE Vector sums_of_four(const std::int32_t* groups, int shift) {
  const Vector first = interleaved_sum<std::uint32_t>(group_sum<kShifted>(groups, shift),
                                                      group_sum<kShifted>(groups + kBoundGroup, shift));
  const Vector second = interleaved_sum<std::uint32_t>(group_sum<kShifted>(groups + 2 * kBoundGroup, shift),
                                                       group_sum<kShifted>(groups + 3 * kBoundGroup, shift));
  return interleaved_sum<std::uint64_t>(first, second);
}

// The sums of eight groups of consecutive elements.
template <bool kShifted>
HWY_INLINE Elements group_sums(const std::int32_t* values, int shift) {
  const Vector left = sums_of_four<kShifted>(values, shift);
  const Vector right = sums_of_four<kShifted>(values + 4 * kBoundGroup, shift);
  Elements sums;
  if constexpr (Elements::kLanes == kRuns) {
    sums.part[0] = wrapped_sum(kElements, hn::ConcatLowerLower(kElements, right, left),
                               hn::ConcatUpperUpper(kElements, right, left));
  } else {
    sums.part[0] = left;
    sums.part[1] = right;
  }
  return sums;
}

// Computes the sums of all groups of a tile. A simple loop reads each chunk first: the processor's prefetcher
// keeps up with it, but not with the second loop.
template <bool kShifted>
HWY_INLINE Seen add_groups(const std::int32_t* values, unsigned shift, Sums& sums) {
  Elements highest = zeros<std::int32_t>(), lowest = highest, total = highest;
  for (std::size_t chunk = 0; chunk < kBoundTile; chunk += kChunk) {
#pragma GCC unroll 4
    for (std::size_t at = chunk; at < chunk + kChunk; at += kRuns) {
      const Elements row = load_eight(values + at);
#pragma GCC unroll 8
      for (std::size_t p = 0; p < row.kParts; ++p) {
        highest.part[p] = hn::Max(highest.part[p], row.part[p]);
        lowest.part[p] = hn::Min(lowest.part[p], row.part[p]);
        if constexpr (kShifted) total.part[p] = wrapped_sum(kElements, total.part[p], row.part[p]);
      }
    }
    for (std::size_t at = chunk; at < chunk + kChunk; at += kBlock) {
      group_sums<kShifted>(values + at, static_cast<int>(shift)).store(sums.data() + at / kBoundGroup);
    }
  }
  std::int32_t highs[kRuns], lows[kRuns], totals[kRuns];
  highest.store(highs);
  lowest.store(lows);
  total.store(totals);
  Seen seen;
  for (std::size_t i = 0; i < kRuns; ++i) {
    seen.highest = std::max(seen.highest, static_cast<std::uint32_t>(highs[i]));
    seen.lowest = std::max(seen.lowest, -static_cast<std::uint32_t>(lows[i]));
    seen.total += static_cast<std::uint32_t>(totals[i]);
  }
  return seen;
}

Seen sum_groups(const std::int32_t* values, unsigned shift, Sums& sums) {
  return shift == 0 ? add_groups<false>(values, 0, sums) : add_groups<true>(values, shift, sums);
}

// The numbers of a tile whose elements are the sums of groups.
TileSums groups_tile(const Sums& sums) {
  RunSums<std::int32_t> run_sums;
  for (std::size_t at = 0; at < kRun; at += kRuns) {
    Elements rows[kRuns];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRuns; ++i) rows[i] = load_eight(sums.data() + i * kRun + at);
    transpose(rows);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRuns; ++i) run_sums.add(rows[i]);
  }
  TileSums runs[kRuns];
  run_sums.store(runs);
  TileSums tile;
  for (const TileSums& run : runs) tile = merge(tile, run);
  return tile;
}

unsigned needed_shift(std::uint32_t largest) {
  const auto bits = static_cast<unsigned>(std::bit_width(largest));
  return bits > kBits ? bits - kBits : 0;
}

// tile_bounds().
TileBounds bounds_of(const std::int32_t* values, unsigned& shift) {
  alignas(64) Sums sums;
  Seen seen;
  unsigned used = shift;
  for (;;) {
    seen = sum_groups(values, used, sums);
    shift = needed_shift(seen.largest());
    if (shift <= used) break;
    used = shift;
  }
  const TileSums units = groups_tile(sums);
  TileBounds bounds;
  bounds.least = {units.total << used, units.prefix << used, units.suffix << used, units.best << used};
  // Moving each end of a segment to the nearest multiple of kBoundGroup changes its sum by at most half a
  // group of the largest elements. Moving both ends inward loses at most positive elements, moving them
  // outward adds at worst negative ones: less than a group at each end.
  constexpr std::int64_t kBothEnds = 2, kGroup = kBoundGroup;
  bounds.slack =
      kBothEnds * std::min(kGroup / 2 * seen.largest(), (kGroup - 1) * std::min(seen.highest, seen.lowest));
  if (used > 0) {
    // Shifting loses less than 2^used of each element. The loss of all elements together fits 32 bits, so the
    // sum modulo 2^32 restores the exact total.
    bounds.least.total += seen.total - static_cast<std::uint32_t>(bounds.least.total);
    bounds.slack += static_cast<std::int64_t>(kBoundTile) << used;
  }
  return bounds;
}

#else

TileBounds bounds_of(const std::int32_t* values, unsigned&) {
  return {tile_sums(std::span<const std::int32_t>(values, kBoundTile)), 0};
}

#endif

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {

GPUHMM_SIMD_TABLE(bounds_of);

TileBounds tile_bounds(std::span<const std::int32_t, kBoundTile> values, unsigned& shift) {
  return GPUHMM_SIMD_CALL(bounds_of)(values.data(), shift);
}

std::vector<std::size_t> undecided_tiles(std::span<const TileBounds> tiles) {
  TileSums whole;  // lower bounds
  for (const TileBounds& tile : tiles) whole = merge(whole, tile.least);
  const std::int64_t wanted = std::max<std::int64_t>(whole.best, 1);
  std::vector<bool> possible(tiles.size());
  // Tiles that can contain the end of a segment with the wanted score, or all of it.
  std::int64_t sum = 0, lowest = 0;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const auto& [least, slack] = tiles[i];
    possible[i] = std::max(least.best, sum - lowest + least.prefix) + slack >= wanted;
    sum += least.total;
    lowest = std::min(lowest, sum - least.suffix - slack);
  }
  // Tiles that can contain the begin of such a segment.
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
#endif
