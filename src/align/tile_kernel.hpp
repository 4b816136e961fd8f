// Computes the cells of one tile of a Viterbi matrix with SIMD.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gpuhmm::grid {

/// Runs of 1, 2, 4 and 8 deletes have scores of their own.
inline constexpr std::size_t kDeleteRuns = 4;

/// Scores that enter a row of a tile from outside.
struct TileEdge {
  std::int32_t begin;      ///< B of the row before
  std::int32_t handed_on;  ///< Q of the node below the tile, row before
  std::int32_t entering;   ///< D of the first node
};

/// A tile to be computed. Pointers to scores and cells point to those of its first node. A row has `places`
/// values, a multiple of 8; values after the last node are arbitrary but must be readable.
struct Tile {
  std::size_t rows, places;
  const std::int32_t *mm, *mi, *md, *im, *ii, *dm, *begin;
  std::array<const std::int32_t*, kDeleteRuns> runs;     ///< from D 1, 2, 4, 8 nodes below to D of the node
  const std::int32_t *match_emission, *insert_emission;  ///< of residue code 0
  std::size_t emission_stride;                           ///< from code to code
  const std::uint8_t* residues;                          ///< those of the rows
  const TileEdge* edge;                                  ///< of the rows
  std::int32_t* onward;                                  ///< Q of the row above, by node; is changed
  std::int32_t* inserting;  ///< I of the first row without its emission; is changed
  std::int32_t* cells;      ///< result: [row][M, I, D][stride]
  std::size_t stride;
};

/// Computes the cells. Only for machines with SIMD.
void fill_tile(const Tile& tile);

}  // namespace gpuhmm::grid
