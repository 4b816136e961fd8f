// The grid: what a sweep over a sequence keeps of its Viterbi matrix. It holds the specials of all rows, the
// cells at the lane edges in all rows, and all cells of every kTileRows-th row. Any tile between two such
// edges can be recomputed from these, so a traceback costs only the tiles on its path.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "align/grid_model.hpp"
#include "plan7/viterbi_walk.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::grid {

/// Rows of a tile. Its columns are the nodes of one lane, or of several narrow ones.
inline constexpr std::size_t kTileRows = 16;

/// The record of one sequence. Its memory is reused for the next one: 20 bytes per residue, plus 12 bytes per
/// lane and half a byte per node.
class ScoreGrid {
 public:
  /// Allocates memory for a sequence and writes row 0.
  void start(const GridModel& model, std::size_t length);

  /// N, E, J, B and C of row i, 0..L; E and J may be below minus infinity.
  SpecialScores& special(std::size_t i) { return specials_[i]; }
  const SpecialScores& special(std::size_t i) const { return specials_[i]; }

  /// Q~ of the last node of each lane, in row i (0..L).
  std::int32_t* handed_on(std::size_t i) { return edges_.data() + i * 3 * lanes_; }
  const std::int32_t* handed_on(std::size_t i) const { return edges_.data() + i * 3 * lanes_; }
  /// D~ of the first node of each lane, in row i.
  std::int32_t* entering(std::size_t i) { return handed_on(i) + lanes_; }
  const std::int32_t* entering(std::size_t i) const { return handed_on(i) + lanes_; }
  /// The best score of E from the nodes of each lane, in row i.
  std::int32_t* leaving(std::size_t i) { return handed_on(i) + 2 * lanes_; }
  const std::int32_t* leaving(std::size_t i) const { return handed_on(i) + 2 * lanes_; }

  /// The cells after row t * kTileRows as the sweep holds them: [vector][Q~, I~ before its emission][lane].
  /// Q~ does not yet include the paths through entering().
  std::int32_t* kept_row(std::size_t t) { return rows_.data() + t * row_size_; }
  const std::int32_t* kept_row(std::size_t t) const { return rows_.data() + t * row_size_; }
  std::size_t row_size() const { return row_size_; }

  /// Number of values of handed_on(), entering() and leaving() in one row.
  std::size_t edge_size() const { return 3 * lanes_; }
  /// Bytes per row.
  static std::size_t row_bytes(const GridModel& model) {
    return sizeof(SpecialScores) +
           sizeof(std::int32_t) * (3 * model.lanes() + model.vectors() * 2 * model.lanes() / kTileRows);
  }

 private:
  std::size_t lanes_ = 0;
  std::size_t row_size_ = 0;
  simd::AlignedBuffer<SpecialScores> specials_;
  simd::AlignedBuffer<std::int32_t> edges_;
  simd::AlignedBuffer<std::int32_t> rows_;
};

/// A sequence being swept.
struct Track {
  std::span<const std::uint8_t> residues;
  ScoreGrid grid;
  simd::AlignedBuffer<std::int32_t> cells;  ///< of the current row
  std::int64_t score = 0;                   ///< S, 1/1000 bit, once swept
};

/// Number of sequences swept side by side.
inline constexpr std::size_t kTracks = 2;

/// Sweeps one or two sequences, the longer one first, and records them: fills grid and score of each track.
/// All sequences must fit the model. Scores and cells are exact where GridModel::proves says so.
void sweep(const GridModel& model, std::span<Track* const> tracks);

/// Prepares a track for the first rows of a sequence; at most `rows` rows are swept at a time.
void start_track(const GridModel& model, Track& track, std::size_t rows);
/// Sweeps the residues of a track from its current state: edges and specials of row 0 of its grid, and its
/// cells, are those after the preceding residues. Does not set the score.
void sweep_on(const GridModel& model, Track& track);

}  // namespace gpuhmm::grid
