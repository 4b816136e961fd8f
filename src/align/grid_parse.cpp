// Sweeps forwards in blocks, and traces back from the last domain to the first.
#include "align/grid_parse.hpp"

#include <algorithm>

#include "plan7/arithmetic.hpp"
#include "plan7/floored_sum.hpp"

namespace gpuhmm::grid {

GridParser::GridParser(const GridModel& model, Track& track, TileSpace& space, ParseMemory memory)
    : model_(model), track_(track), space_(space), memory_(memory) {
  const std::size_t rows =
      std::min(memory_.record_bytes / ScoreGrid::row_bytes(model), model.stretch()) / kTileRows * kTileRows;
  block_ = std::max(rows, kTileRows);
}

std::optional<SegmentParse> GridParser::parse(std::span<const std::uint8_t> residues,
                                              std::int32_t lowest_traced) {
  if (!model_.fits_watched(residues.size()) || model_.stretch() < block_) return std::nullopt;
  residues_ = residues;
  if (!sweep_all()) return std::nullopt;
  const std::int64_t score = std::int64_t{track_.grid.special(0).c} + model_.scores.c_end;
  if (!model_.proves(score, residues.size())) return std::nullopt;
  SegmentParse parse{static_cast<std::int32_t>(score), {}};
  if (parse.score >= lowest_traced && !find_segments(parse.segments)) return std::nullopt;
  return parse;
}

std::optional<SegmentParse> GridParser::parse_swept(std::int32_t lowest_traced) {
  residues_ = track_.residues;
  if (!model_.proves(track_.score, residues_.size())) return std::nullopt;
  SegmentParse parse{static_cast<std::int32_t>(track_.score), {}};
  if (parse.score < lowest_traced) return parse;
  first_ = 0;
  j_end_ = c_end_ = 0;
  checkpoints_.clear();
  count_rows(residues_.size());
  cells_.emplace(model_, track_, space_);
  if (!find_segments(parse.segments)) return std::nullopt;
  return parse;
}

// False if scores leave the range in which 32 bits suffice.
bool GridParser::sweep_all() {
  start_track(model_, track_, std::min(block_, residues_.size()));
  first_ = swept_ = 0;
  j_end_ = c_end_ = first_j_end_ = 0;
  checkpoints_.clear();
  spacing_ = block_;
  while (first_ < residues_.size()) {
    if (first_ % spacing_ == 0) keep_checkpoint();
    sweep_block(std::min(block_, residues_.size() - first_));
    turn_to_next_block();
    if (!in_range()) return false;
  }
  return true;
}

bool GridParser::in_range() const {
  const SpecialScores& special = track_.grid.special(0);
  const std::int32_t* edges = track_.grid.handed_on(0);
  const std::int32_t* cells = track_.cells.data();
  const std::int32_t highest =
      std::max({*std::max_element(cells, cells + track_.grid.row_size()),
                *std::max_element(edges, edges + track_.grid.edge_size()), special.b, special.j, special.c});
  return highest <= simd::kHighestBetween;
}

// Sweeps the next rows after row first_, whose edges are in row 0 of the record.
void GridParser::sweep_block(std::size_t rows) {
  track_.residues = residues_.subspan(first_, rows);
  sweep_on(model_, track_);
  cells_.reset();
  count_rows(rows);
}

// The record holds that many rows after row first_.
void GridParser::count_rows(std::size_t rows) {
  const ScoreModel& scores = model_.scores;
  swept_ = rows;
  first_j_end_ = j_end_;
  for (std::size_t i = 1; i <= rows; ++i) {
    const SpecialScores& before = track_.grid.special(i - 1);
    const SpecialScores& now = track_.grid.special(i);
    const auto row = static_cast<std::int32_t>(first_ + i);
    if (now.j > floored_sum(before.j, scores.j_loop)) j_end_ = row;
    if (now.c > floored_sum(before.c, scores.c_loop)) c_end_ = row;
  }
}

void GridParser::turn_to_next_block() {
  ScoreGrid& grid = track_.grid;
  grid.special(0) = grid.special(swept_);
  std::copy_n(grid.handed_on(swept_), grid.edge_size(), grid.handed_on(0));
  first_ += swept_;
  swept_ = 0;
}

std::size_t GridParser::checkpoint_bytes() const {
  return sizeof(Checkpoint) + sizeof(std::int32_t) * (track_.grid.edge_size() + track_.grid.row_size());
}

GridParser::Checkpoint GridParser::checkpoint() const {
  const ScoreGrid& grid = track_.grid;
  const std::int32_t* cells = track_.cells.data();
  return {first_,
          j_end_,
          grid.special(0),
          {grid.handed_on(0), grid.handed_on(0) + grid.edge_size()},
          {cells, cells + grid.row_size()}};
}

void GridParser::resume(const Checkpoint& from) {
  first_ = from.row;
  swept_ = 0;
  j_end_ = from.j_end;
  track_.grid.special(0) = from.special;
  std::ranges::copy(from.edges, track_.grid.handed_on(0));
  std::ranges::copy(from.cells, track_.cells.data());
}

// For the first sweep. The spacing doubles whenever memory for more checkpoints is exhausted.
void GridParser::keep_checkpoint() {
  const std::size_t most = std::max<std::size_t>(2, memory_.checkpoint_bytes / checkpoint_bytes());
  if (checkpoints_.size() >= most) {
    spacing_ *= 2;
    std::erase_if(checkpoints_, [&](const Checkpoint& kept) { return kept.row % spacing_ != 0; });
    if (first_ % spacing_ != 0) return;
  }
  checkpoints_.push_back(checkpoint());
}

// Sweeps again so that the record holds rows up to `row`, which is not after the last recorded row; later
// rows are no longer needed. Makes closer checkpoints on the way from the last one.
void GridParser::record(std::size_t row) {
  while (checkpoints_.back().row >= row) checkpoints_.pop_back();
  resume(checkpoints_.back());
  const std::size_t most = std::max<std::size_t>(2, memory_.checkpoint_bytes / checkpoint_bytes());
  const std::size_t blocks = (row - first_ - 1) / block_;
  const std::size_t spacing = block_ * ((blocks + most - 1) / most);
  const std::size_t start = first_;
  for (std::size_t b = 0; b < blocks; ++b) {
    sweep_block(block_);
    turn_to_next_block();
    if ((first_ - start) % spacing == 0) checkpoints_.push_back(checkpoint());
  }
  sweep_block(row - first_);
  cells_.emplace(model_, track_, space_);
}

// False if no predecessor explains a cell of the path.
bool GridParser::find_segments(std::vector<DomainSpan>& segments) {
  for (std::int32_t end = c_end_; end > 0;
       end = end_before(static_cast<std::size_t>(segments.back().begin))) {
    const std::optional<std::size_t> begin = begin_of(static_cast<std::size_t>(end));
    if (!begin) return false;
    segments.push_back({static_cast<std::int32_t>(*begin), end});
  }
  std::ranges::reverse(segments);
  return true;
}

// The row at which the path that reaches E at row `end` leaves B.
std::optional<std::size_t> GridParser::begin_of(std::size_t end) {
  if (!recorded(end)) record(end);
  const auto i = static_cast<std::int64_t>(end - first_);
  const int node = cells_->first_exit_node(i);
  if (node == 0) return std::nullopt;
  Place place{State::M, static_cast<std::int64_t>(end), node, cells_->match(i, node)};
  while (place.state != State::B) {
    if (!step_back(place)) return std::nullopt;
  }
  return static_cast<std::size_t>(place.row);
}

// Steps from a cell to the predecessor that parse_segments() takes: the first, in its order, that explains
// the cell. False if none does.
bool GridParser::step_back(Place& place) {
  if (place.state != State::D) {
    place.score = without_emission(model_.scores, place, residues_[static_cast<std::size_t>(place.row) - 1]);
    --place.row;
    if (place.row > 0 && !recorded(static_cast<std::size_t>(place.row))) {
      record(static_cast<std::size_t>(place.row));
    }
  }
  // Cells of row 0 of the sequence and of node 0 are minus infinity, which explains no proven score.
  const std::int64_t row = place.row;
  const auto recorded_row = row - static_cast<std::int64_t>(first_);
  const Predecessors predecessors(model_.scores, *cells_, place, recorded_row);
  if (predecessors.all().empty()) return false;
  place = predecessors.all().front();
  place.row = row;
  return true;
}

// The row of the E that B of row `begin` comes from; 0 if it comes from N. `begin` is the last recorded row
// or the one before the recorded rows.
std::int32_t GridParser::end_before(std::size_t begin) const {
  const ScoreModel& model = model_.scores;
  const auto special = [&](std::size_t row) -> const SpecialScores& {
    return track_.grid.special(row - first_);
  };
  if (special(begin).b <= floored_sum(special(begin).n, model.n_begin)) return 0;
  for (std::size_t row = begin; row > first_; --row) {
    if (special(row).j > floored_sum(special(row - 1).j, model.j_loop)) return static_cast<std::int32_t>(row);
  }
  return first_j_end_;
}

}  // namespace gpuhmm::grid
