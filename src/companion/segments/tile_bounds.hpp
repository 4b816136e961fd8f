// Bounds of the numbers of tiles (TileSums), at little more than the cost of summing the elements. They show
// which tiles can contain an end of the best segment; only these tiles need exact numbers.
//
// Only every kBoundGroup-th prefix sum is computed. Every other position is at most half a group away from
// one of these, so the best segment scores at most kBoundGroup times the largest element more than the best
// segment that begins and ends at these positions. Large elements are shifted right so that sums stay within
// 32 bits; the sum of the tile is exact nevertheless.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "companion/segments/blocks.hpp"

namespace gpuhmm {

constexpr std::size_t kBoundTile = std::size_t{1} << 15;  // elements of a tile with bounds
constexpr std::size_t kBoundGroup = 16;                   // elements between two prefix sums

/// Bounds of the numbers of a tile. least.total is exact; each other number lies between that of `least` and
/// that plus `slack`. If slack is 0, all are exact.
struct TileBounds {
  TileSums least;
  std::int64_t slack = 0;
};

/// The bounds of a tile of kBoundTile elements. `shift`: a guess by how many bits elements must be shifted;
/// on return the number that this tile needed, as a guess for the next one.
TileBounds tile_bounds(std::span<const std::int32_t, kBoundTile> values, unsigned& shift);

/// Indices, descending, of the tiles without exact numbers that can contain the begin or the end of the best
/// segment. Prefix, suffix and best segment of the other inexact tiles may be taken as empty.
std::vector<std::size_t> undecided_tiles(std::span<const TileBounds> tiles);

}  // namespace gpuhmm
