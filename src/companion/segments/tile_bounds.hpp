// Bounds of the four numbers of tiles at little more than the cost of their sums, and which tiles can hold an
// end of the best segment: only of those the numbers themselves are needed.
//
// Prefix sums are looked at after every kBoundGroup elements only. Every other place is at most half a group
// from one of these, so no segment scores more than the best between such places by more than kBoundGroup
// times the largest element. Large elements are shifted right so that sums stay within 32 bits; the sum of
// the tile is exact all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "companion/segments/blocks.hpp"

namespace gpuhmm {

constexpr std::size_t kBoundTile = std::size_t{1} << 15;  // elements of a tile with bounds
constexpr std::size_t kBoundGroup = 16;                   // elements between the places that are looked at

/// What is known of a tile: the total is exact, each of the other three numbers is at least that of `least`
/// and at most larger by `slack`. Slack 0: all are exact.
struct TileBounds {
  TileSums least;
  std::int64_t slack = 0;
};

/// Of kBoundTile elements. `shift` is a guess of how far elements must be shifted; it is made right, for the
/// next tile.
TileBounds tile_bounds(std::span<const std::int32_t, kBoundTile> values, unsigned& shift);

/// The tiles without exact numbers that can hold the begin or the end of a best segment of the vector; the
/// prefix, suffix and best segment of the others may be taken as empty.
std::vector<std::size_t> undecided_tiles(std::span<const TileBounds> tiles);

}  // namespace gpuhmm
