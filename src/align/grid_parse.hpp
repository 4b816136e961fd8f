// Finds where the domains of a sequence of any length begin and end, with SIMD and in bounded memory.
//
// One sweep over the sequence computes its score and saves its state at checkpoints. Then, from the last
// domain to the first, the block of rows before the end of a domain is swept again with a record
// (score_grid.hpp), and a traceback through it finds where the path leaves B; earlier blocks are swept only
// if the path reaches them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/grid_model.hpp"
#include "align/predecessors.hpp"
#include "align/score_grid.hpp"
#include "align/tile_cells.hpp"
#include "plan7/small_memory.hpp"

namespace gpuhmm::grid {

/// Memory of a GridParser. Tests make it small.
struct ParseMemory {
  std::size_t record_bytes = std::size_t{2} << 20;       ///< for the rows swept at a time
  std::size_t checkpoint_bytes = std::size_t{32} << 20;  ///< for the whole sequence; as much again for a part
};

/// Parses sequences with the results of parse_segments(): same score, same segments, ties included. Takes at
/// most three sweeps over the sequence, and memory as set by ParseMemory, but at least 16 rows and two
/// checkpoints (8 bytes per node).
class GridParser {
 public:
  /// `track` and `space` are work space. All arguments must outlive this.
  GridParser(const GridModel& model, Track& track, TileSpace& space, ParseMemory memory = {});

  /// The result has no segments if the score is below `lowest_traced`. Returns nothing if the result cannot
  /// be proven to be that of parse_segments(): scores near minus infinity, or out of the sweep's range.
  std::optional<SegmentParse> parse(std::span<const std::uint8_t> residues, std::int32_t lowest_traced);
  /// The same for a track that sweep() has swept and recorded as a whole.
  std::optional<SegmentParse> parse_swept(std::int32_t lowest_traced);

 private:
  // The state of a sweep after a row: its cells, and the edges and specials of that row.
  struct Checkpoint {
    std::size_t row;
    std::int32_t j_end;  // row of the E that J comes from, 0 if none
    SpecialScores special;
    std::vector<std::int32_t> edges, cells;
  };
  bool sweep_all();
  bool in_range() const;
  void sweep_block(std::size_t rows);
  void count_rows(std::size_t rows);
  void turn_to_next_block();
  Checkpoint checkpoint() const;
  void resume(const Checkpoint& from);
  void keep_checkpoint();
  std::size_t checkpoint_bytes() const;

  void record(std::size_t row);
  bool recorded(std::size_t row) const { return row > first_ && row <= first_ + swept_; }
  bool find_segments(std::vector<DomainSpan>& segments);
  std::optional<std::size_t> begin_of(std::size_t end);
  bool step_back(Place& place);
  std::int32_t end_before(std::size_t begin) const;

  const GridModel& model_;
  Track& track_;
  TileSpace& space_;
  ParseMemory memory_;
  std::size_t block_;  // rows swept at a time
  std::span<const std::uint8_t> residues_;
  std::size_t first_ = 0, swept_ = 0;    // the record holds rows first_ + 1 .. first_ + swept_
  std::int32_t first_j_end_ = 0;         // J's at row first_
  std::int32_t j_end_ = 0, c_end_ = 0;   // at the last row swept
  std::vector<Checkpoint> checkpoints_;  // by row
  std::size_t spacing_ = 0;              // rows between checkpoints
  std::optional<TileCells> cells_;       // of the record
};

}  // namespace gpuhmm::grid
