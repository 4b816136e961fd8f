// Follows all predecessors of a segment's last match back to its begin, then chooses among the paths found.
//
// Why the record of the whole sequence serves a segment: let N, J and C loops cost the same, or J be out of
// reach. A best path of the segment alone, put in place of the domain, makes a path of the whole sequence
// with the best score, so it is found here; its cells differ from those of the segment alone by a constant. A
// path found here that stays in the segment, and waits in N or J where the segment alone has N, is one of the
// segment alone. Other ways to explain a cell are left out: cells that have only these are not connected with
// the begin of the segment, but at least one path is. The segment alone cannot end before its last row: there
// C or J first reached this score.
#include "align/tied_paths.hpp"

#include <algorithm>

namespace gpuhmm::grid {

namespace {

bool loops_alike(const ScoreModel& model) {
  const bool several_domains = model.e_to_j > -kImpossible && model.j_begin > -kImpossible;
  return !several_domains || (model.n_loop == model.j_loop && model.n_loop == model.c_loop);
}

// Whether B of `row` is that of a path that waits before the segment from its begin on.
bool waits_until(const RecordedSegment& segment, std::int64_t row) {
  const std::int64_t waiting = (row - segment.span.begin) * segment.model.n_loop;
  return segment.cells.special(row).b == segment.cells.special(segment.span.begin).b + waiting;
}

// The best paths of a segment as a graph: for every residue the ways to emit it, and which can follow which.
class TiedPaths {
 public:
  explicit TiedPaths(const RecordedSegment& segment)
      : segment_(segment), length_(segment.span.end - segment.span.begin), rows_(length_ + 2) {}

  // False if there are too many, or if no predecessor explains a cell.
  bool find() {
    begin_row(length_ + 1);
    nodes_.push_back({});
    begin_row(length_);
    for (const int node : segment_.cells.exit_nodes(segment_.span.end)) {
      step_to(0, {State::M, segment_.span.end, node, segment_.cells.match(segment_.span.end, node)});
    }
    for (std::int32_t row = length_; row > 0; --row) {
      if (count(row) == 0 || nodes_.size() > most_nodes()) return false;
      begin_row(row - 1);
      for (std::size_t n = 0; n < count(row); ++n) {
        if (!find_predecessors(row, n)) return false;
      }
    }
    return true;
  }

  // How align_segment() emits residue `middle` if it has emitted the ends of the interval as given.
  Emission choose(const SegmentInterval& interval, std::int32_t middle,
                  const std::vector<Emission>& emissions) const {
    const auto at = [&](std::int32_t row) { return emission(rows_[row].nodes); };
    if (count(middle) == 1) return at(middle);
    const std::vector<bool> below = reached(interval.start ? 0 : interval.first, middle,
                                            interval.start ? Emission{} : emissions[interval.first]);
    const std::vector<bool> above = reached(interval.stop ? length_ + 1 : interval.last, middle,
                                            interval.stop ? Emission{} : emissions[interval.last]);
    Emission best;
    for (std::size_t n = 0; n < count(middle); ++n) {
      const Emission offered = emission(rows_[middle].nodes + n);
      if (below[n] && above[n] && (best.emitter == Emitter::Unknown || before(offered, best))) best = offered;
    }
    return best;
  }

 private:
  // Steps from a node to one of the following row; numbers within the rows.
  struct Edge {
    std::size_t from, to;
  };
  struct Row {
    std::size_t nodes = 0, edges = 0;  // first of the row, and of its edges to the following row
  };

  // With more, plain alignment is faster.
  std::size_t most_nodes() const { return 8 * static_cast<std::size_t>(length_) + 1000; }

  // HMMER's order of preference: by node, matches before inserts; N last.
  static bool before(const Emission& a, const Emission& b) {
    if ((a.emitter == Emitter::N) != (b.emitter == Emitter::N)) return b.emitter == Emitter::N;
    return a.node != b.node ? a.node < b.node : a.emitter == Emitter::M && b.emitter == Emitter::I;
  }

  // Rows are found from the last to the first.
  void begin_row(std::int32_t row) { rows_[row] = {nodes_.size(), edges_.size()}; }
  std::size_t end_of_nodes(std::int32_t row) const {
    return row > 0 && rows_[row - 1].nodes > 0 ? rows_[row - 1].nodes : nodes_.size();
  }
  std::size_t count(std::int32_t row) const { return end_of_nodes(row) - rows_[row].nodes; }

  Emission emission(std::size_t n) const {
    const Place& place = nodes_[n];
    switch (place.state) {
      case State::M:
        return {Emitter::M, place.node};
      case State::I:
        return {Emitter::I, place.node};
      case State::N:
        return {Emitter::N, 1};
      default:
        return {};
    }
  }

  // Adds a node to the row begun last, unless it is there, and an edge from it to node number `to` of the
  // following row.
  void step_to(std::size_t to, const Place& place) {
    const std::size_t first = rows_[place.row - segment_.span.begin].nodes;
    std::size_t n = first;
    while (n < nodes_.size() && (nodes_[n].state != place.state || nodes_[n].node != place.node)) ++n;
    if (n == nodes_.size()) nodes_.push_back(place);
    edges_.push_back({n - first, to});
  }

  // Leaves out predecessors that do not belong to the segment alone. False if there are none at all.
  bool find_predecessors(std::int32_t row, std::size_t n) {
    Place place = nodes_[rows_[row].nodes + n];
    const std::int64_t below = place.row - 1;
    if (place.state == State::N) {
      wait_at(below, n);
      return true;
    }
    place.score = without_emission(segment_.model, place, segment_.residues[below]);
    open_.assign(1, place);
    while (!open_.empty()) {
      const Predecessors predecessors(segment_.model, segment_.cells, open_.back(), below);
      open_.pop_back();
      if (predecessors.all().empty()) return false;
      for (const Place& from : predecessors.all()) {
        if (from.state == State::D) {
          open_.push_back(from);
        } else if (from.state == State::B) {
          if (waits_until(segment_, below)) wait_at(below, n);
        } else if (below > segment_.span.begin) {
          step_to(n, from);
        }
      }
    }
    return true;
  }

  // Node n of the following row comes from a path that waits at this row of the record.
  void wait_at(std::int64_t row, std::size_t n) {
    step_to(n, {row > segment_.span.begin ? State::N : State::B, row, 0, 0});
  }

  // Which nodes of row `to` are connected with that of row `from` which has this emission. Rows with one node
  // need no search.
  std::vector<bool> reached(std::int32_t from, std::int32_t to, const Emission& emitted) const {
    const std::int32_t step = from < to ? 1 : -1;
    std::int32_t start = to - step;
    while (start != from && count(start) > 1) start -= step;
    std::vector<bool> now(count(start), true);
    if (start == from && count(start) > 1) {
      for (std::size_t n = 0; n < now.size(); ++n) now[n] = emission(rows_[start].nodes + n) == emitted;
    }
    for (std::int32_t row = start; row != to; row += step) {
      std::vector<bool> next(count(row + step), false);
      const std::int32_t lower = std::min(row, row + step);
      const std::size_t end = lower > 0 ? rows_[lower - 1].edges : edges_.size();
      for (std::size_t e = rows_[lower].edges; e < end; ++e) {
        const auto [below, above] = edges_[e];
        if (now[step > 0 ? below : above]) next[step > 0 ? above : below] = true;
      }
      now = std::move(next);
    }
    return now;
  }

  const RecordedSegment& segment_;
  std::int32_t length_;
  std::vector<Row> rows_;     // residues 0 (before the segment) .. length_ + 1 (after it)
  std::vector<Place> nodes_;  // rows of the record
  std::vector<Edge> edges_;
  std::vector<Place> open_;  // work space
};

}  // namespace

std::optional<std::vector<Emission>> small_memory_emissions(const RecordedSegment& segment) {
  if (!loops_alike(segment.model)) return std::nullopt;
  TiedPaths paths(segment);
  if (!paths.find()) return std::nullopt;
  std::vector<Emission> emissions(static_cast<std::size_t>(segment.span.end - segment.span.begin) + 1);
  const auto choose = [&](const SegmentInterval& interval, std::int32_t middle) {
    return paths.choose(interval, middle, emissions);
  };
  if (!choose_emissions(emissions, choose)) return std::nullopt;
  return emissions;
}

std::optional<std::vector<Emission>> full_matrix_emissions(const RecordedSegment& segment) {
  const auto [begin, end] = segment.span;
  const std::vector<int> exits = segment.cells.exit_nodes(end);
  if (!loops_alike(segment.model) || exits.empty()) return std::nullopt;
  std::vector<Emission> emissions(static_cast<std::size_t>(end - begin) + 1);
  Place place{State::M, end, exits.back(), segment.cells.match(end, exits.back())};
  for (;;) {
    std::int64_t row = place.row;
    if (place.state != State::D) {
      if (row <= begin) return std::nullopt;
      emissions[row - begin] = {place.state == State::M ? Emitter::M : Emitter::I, place.node};
      place.score = without_emission(segment.model, place, segment.residues[row - 1]);
      --row;
    }
    const Predecessors predecessors(segment.model, segment.cells, place, row);
    const std::span<const Place> all = predecessors.all();
    if (all.empty()) return std::nullopt;
    const auto from_b = std::ranges::find(all, State::B, &Place::state);
    if (from_b != all.end()) break;
    place = all.front();
  }
  const std::int64_t start = place.row - 1;
  if (start < begin || !waits_until(segment, start)) return std::nullopt;
  std::fill(emissions.begin() + 1, emissions.begin() + 1 + (start - begin), Emission{Emitter::N, 1});
  return emissions;
}

}  // namespace gpuhmm::grid
