// Computes the numbers of a tile by Kadane's recurrence in SIMD lanes. A scalar loop is limited by its chain
// of dependent operations. So a piece of the tile is cut into eight runs, whose elements are transposed in
// blocks so that lane i follows run i; then the runs' numbers are merged in order.
#include "companion/segments/tile_sums.hpp"

#include <algorithm>
#include <limits>

#define HWY_TARGET_INCLUDE "companion/segments/tile_sums.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "companion/segments/runs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

constexpr std::size_t kRun = 256;             // elements of a run
constexpr std::size_t kPiece = kRuns * kRun;  // elements searched at once
constexpr std::int32_t kNarrow = 1 << 22;     // values in [-kNarrow, kNarrow): a run's sums fit 31 bits
constexpr std::size_t kLineElements = 16;     // elements in a cache line
static_assert(static_cast<std::int64_t>(kNarrow) * kRun <= std::int64_t{1} << 30);

// Computes the numbers of the eight runs of a piece with sums of type T. Returns false if an element is
// outside the narrow range; results with T = std::int32_t are then wrong.
template <class T>
bool piece_runs(const std::int32_t* values, TileSums (&runs)[kRuns]) {
  const Eight<std::int32_t>::D d;
  const auto narrow = hn::Set(d, kNarrow);
  RunSums<T> sums;
  Eight<std::int32_t> seen = zeros<std::int32_t>();
  for (std::size_t at = 0; at < kRun; at += kRuns) {
    // Prefetches part of the next piece: the processor's prefetcher cannot follow eight runs.
    for (std::size_t line = 0; line < kRuns * kRuns; line += kLineElements) {
      __builtin_prefetch(values + kPiece + at * kRuns + line);
    }
    Eight<std::int32_t> rows[kRuns];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRuns; ++i) rows[i] = load_eight(values + i * kRun + at);
    transpose(rows);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRuns; ++i) {
#pragma GCC unroll 8
      for (std::size_t p = 0; p < rows[i].kParts; ++p) {
        seen.part[p] = hn::Or(seen.part[p], wrapped_sum(d, rows[i].part[p], narrow));
      }
      sums.add(rows[i]);
    }
  }
  sums.store(runs);
  std::int32_t bits[kRuns];
  seen.store(bits);
  std::uint32_t all = 0;
  for (const std::int32_t some : bits) all |= static_cast<std::uint32_t>(some);
  return (all & ~(2 * static_cast<std::uint32_t>(kNarrow) - 1)) == 0;
}

// Merges all complete pieces of `values` into `tile` and returns the number of their elements.
std::size_t add_pieces(std::span<const std::int32_t> values, TileSums& tile) {
  bool narrow = true;  // until a piece has other elements
  std::size_t at = 0;
  for (; at + kPiece <= values.size(); at += kPiece) {
    TileSums runs[kRuns];
    const std::int32_t* piece = values.data() + at;
    if (narrow) narrow = piece_runs<std::int32_t>(piece, runs);
    if (!narrow) piece_runs<std::int64_t>(piece, runs);
    for (const TileSums& run : runs) tile = merge(tile, run);
  }
  return at;
}

#else

std::size_t add_pieces(std::span<const std::int32_t>, TileSums&) { return 0; }

#endif

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {

GPUHMM_SIMD_TABLE(add_pieces);

namespace {

// Merges the numbers of `values` into `tile`, by a scalar loop.
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
  const std::size_t added = GPUHMM_SIMD_CALL(add_pieces)(values, tile);
  add_elements(values.subspan(added), tile);
  return tile;
}

// Processes four runs of 64-bit elements in parallel, so that their chains of operations overlap.
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
#endif
