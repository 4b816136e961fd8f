// The four numbers of a tile by Kadane's recurrence in vector lanes: a scalar loop is bound by its chain of
// dependent operations, so a piece of the tile is cut into as many runs as a vector has lanes, and blocks of
// them are transposed so that lane i walks along run i. The runs' numbers are merged in order.
#include "companion/segments/tile_sums.hpp"

#include <algorithm>
#include <limits>

#include "companion/segments/lanes.hpp"
#include "util/vector_clones.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kRun = 256;              // elements of a run
constexpr std::size_t kPiece = kLanes * kRun;  // elements searched at once
constexpr std::int32_t kNarrow = 1 << 22;      // values in [-kNarrow, kNarrow): a run's sums fit 31 bits
constexpr std::size_t kLineElements = 16;      // of a cache line
static_assert(static_cast<std::int64_t>(kNarrow) * kRun <= std::int64_t{1} << 30);

// The eight runs of a piece with sums in lanes of Sums. Gives the elements' bits above the narrow range.
template <class Sums, class Bits>
[[gnu::always_inline]] inline std::uint32_t piece_runs(const std::int32_t* values, TileSums* runs) {
  LaneRuns<Sums, Bits> lanes;
  NarrowBits seen{};
  for (std::size_t at = 0; at < kRun; at += kLanes) {
    // The next piece, a part at a time: runs are too many streams for the processor to foresee.
    for (std::size_t line = 0; line < kLanes * kLanes; line += kLineElements) {
      __builtin_prefetch(values + kPiece + at * kLanes + line);
    }
    Narrow rows[kLanes];
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      rows[lane] = load_lanes(values + lane * kRun + at);
    }
    transpose(rows);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLanes; ++i) {
      seen |= reinterpret_cast<NarrowBits>(rows[i]) + kNarrow;
      lanes.add(rows[i]);
    }
  }
  std::uint32_t bits = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    runs[lane] = lanes.run(lane);
    bits |= seen[lane];
  }
  return bits & ~(2 * static_cast<std::uint32_t>(kNarrow) - 1);
}

// True if all elements were in the narrow range; else the runs are wrong.
GPUHMM_VECTOR_CLONES_512(bool, narrow_runs, (const std::int32_t* values, TileSums* runs), (values, runs)) {
  return piece_runs<Narrow, NarrowBits>(values, runs) == 0;
}

GPUHMM_VECTOR_CLONES_512(void, wide_runs, (const std::int32_t* values, TileSums* runs), (values, runs)) {
  piece_runs<Wide, WideBits>(values, runs);
}

// Merges what is made of `values` into `tile`.
template <class T>
void add_elements(std::span<const T> values, TileSums& tile) {
  TileSums sums;
  std::int64_t lowest = 0;
  for (const T value : values) {
    sums.total += value;
    lowest = std::min(lowest, sums.total);
    sums.prefix = std::max(sums.prefix, sums.total);
    sums.best = std::max(sums.best, sums.total - lowest);
  }
  sums.suffix = sums.total - lowest;
  tile = merge(tile, sums);
}

}  // namespace

TileSums tile_sums(std::span<const std::int32_t> values) {
  TileSums tile;
  bool narrow = true;  // until a piece is not
  std::size_t at = 0;
  for (; at + kPiece <= values.size(); at += kPiece) {
    TileSums runs[kLanes];
    const std::int32_t* piece = values.data() + at;
    if (narrow) narrow = narrow_runs(piece, runs);
    if (!narrow) wide_runs(piece, runs);
    for (const TileSums& run : runs) tile = merge(tile, run);
  }
  add_elements(values.subspan(at), tile);
  return tile;
}

// Runs of 64-bit elements side by side, so that the chains of several are in flight.
TileSums tile_sums(std::span<const std::int64_t> values) {
  constexpr std::size_t kChains = 4;
  const std::size_t run = values.size() / kChains;
  std::int64_t sum[kChains] = {}, lowest[kChains] = {}, highest[kChains] = {}, best[kChains] = {};
  for (std::size_t at = 0; at < run; ++at) {
    for (std::size_t i = 0; i < kChains; ++i) {
      sum[i] += values[i * run + at];
      lowest[i] = std::min(lowest[i], sum[i]);
      highest[i] = std::max(highest[i], sum[i]);
      best[i] = std::max(best[i], sum[i] - lowest[i]);
    }
  }
  TileSums tile;
  for (std::size_t i = 0; i < kChains; ++i)
    tile = merge(tile, TileSums{sum[i], highest[i], sum[i] - lowest[i], best[i]});
  add_elements(values.subspan(kChains * run), tile);
  return tile;
}

}  // namespace gpuhmm
