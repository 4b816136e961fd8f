// The alignment of optimal accuracy, plainly: the path of the largest sum of posteriors
// (docs/spec/hmmer3/domains.md, 9).
#include <algorithm>
#include <limits>
#include <utility>

#include "hmmer3/envelope.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();

// A step that is impossible contributes 0 while the matrix is filled.
float through(float probability, float value) { return probability > 0 ? value : 0.0F; }

class AccuracyAligner {
 public:
  AccuracyAligner(const FloatModel& model, SequenceTask& task, const std::vector<OutsidePosterior>& outside)
      : model_(model),
        length_(task.sequence.size()),
        lengths_(task.lengths),
        outside_(outside),
        posteriors_(*task.backward_cells),
        cells_(*task.forward_cells),
        specials_(length_ + 1) {}

  EnvelopeAlignment align() {
    begin();
    for (std::size_t i = 1; i <= length_; ++i) fill(i);
    EnvelopeAlignment alignment;
    alignment.accuracy = specials_[length_].c;
    alignment.columns = trace();
    return alignment;
  }

 private:
  float& cell(std::size_t i, CellState state, std::size_t q, std::size_t r) {
    return cells_.row(i)[(q * kCellStates + state) * kStripes + r];
  }
  float value(std::size_t i, CellState state, int k) const {
    return k == 0 ? kImpossible : cells_.cell(i, state, k);
  }

  void begin() {
    std::fill_n(cells_.row(0), cells_.row_size(), kImpossible);
    specials_[0] = {kImpossible, 0, kImpossible, 0, kImpossible, 1};
  }

  void fill(std::size_t i) {
    const float end = fill_nodes(i);
    const SpecialRow& before = specials_[i - 1];
    SpecialRow& row = specials_[i];
    row.e = end;
    row.j = std::max(through(lengths_.loop, before.j + outside_[i].j), through(lengths_.end_to_j, end));
    row.c = std::max(through(lengths_.loop, before.c + outside_[i].c), through(lengths_.end_to_c, end));
    row.n = through(lengths_.loop, before.n + outside_[i].n);
    row.b = std::max(through(lengths_.move, row.n), through(lengths_.move, row.j));
  }

  // The nodes of row i. Gives E.
  float fill_nodes(std::size_t i) {
    float end = kImpossible, deletion = kImpossible;
    for (int k = 1; k <= static_cast<int>(model_.steps() * kStripes); ++k) {
      const std::size_t q = model_.step_of(k), r = model_.stripe_of(k);
      const auto step = [&](Step which, float from) { return through(model_.transition(which, k), from); };
      const float match = std::max({step(kIntoFromBegin, specials_[i - 1].b),
                                    step(kIntoFromMatch, value(i - 1, kMatch, k - 1)),
                                    step(kIntoFromInsert, value(i - 1, kInsert, k - 1)),
                                    step(kIntoFromDelete, value(i - 1, kDelete, k - 1))}) +
                          posteriors_.cell(i, kMatch, k);
      cell(i, kMatch, q, r) = match;
      cell(i, kInsert, q, r) = std::max(step(kMatchToInsert, value(i - 1, kMatch, k)),
                                        step(kInsertToInsert, value(i - 1, kInsert, k))) +
                               posteriors_.cell(i, kInsert, k);
      cell(i, kDelete, q, r) = deletion;
      end = std::max({end, match, deletion});
      deletion = std::max(step(kMatchToDelete, match), step(kDeleteToDelete, deletion));
    }
    return end;
  }

  // The last node: of equal ones the last match in stripe order.
  std::pair<CellState, int> last_node(std::size_t i) {
    std::pair<CellState, int> best{kMatch, 0};
    float most = kImpossible;
    const std::size_t steps = model_.steps();
    for (std::size_t q = 0; q < steps; ++q) {
      for (const CellState state : {kMatch, kDelete}) {
        for (std::size_t r = 0; r < kStripes; ++r) {
          const float here = cell(i, state, q, r);
          if (!(state == kMatch ? here >= most : here > most)) continue;
          most = here;
          best = {state, static_cast<int>(r * steps + q) + 1};
        }
      }
    }
    return best;
  }

  static float possible(float probability, float value) { return probability == 0 ? kImpossible : value; }

  std::vector<AlignedColumn> trace() {
    std::size_t i = length_;
    while (i > 0 && possible(lengths_.loop, specials_[i - 1].c + outside_[i].c) >
                        possible(lengths_.end_to_c, specials_[i].e)) {
      --i;
    }
    auto [state, k] = last_node(i);
    std::vector<AlignedColumn> columns;
    for (bool in_nodes = true; in_nodes && i > 0 && k > 0;) {
      columns.push_back(
          {state, k, state == kDelete ? 0 : i, state == kDelete ? 0 : posteriors_.cell(i, state, k)});
      switch (state) {
        case kMatch:
          in_nodes = leave_match(i, k, state);
          break;
        case kDelete: {
          const float match =
              possible(model_.transition(kMatchToDelete, std::max(k - 1, 1)), value(i, kMatch, k - 1));
          const float deletion =
              possible(model_.transition(kDeleteToDelete, std::max(k - 1, 1)), value(i, kDelete, k - 1));
          state = match >= deletion ? kMatch : kDelete;
          --k;
          break;
        }
        default: {
          const float match = possible(model_.transition(kMatchToInsert, k), value(i - 1, kMatch, k));
          const float insert = possible(model_.transition(kInsertToInsert, k), value(i - 1, kInsert, k));
          state = match >= insert ? kMatch : kInsert;
          --i;
        }
      }
    }
    keep_matches(columns);
    return columns;
  }

  // Goes to the state before match state k of residue i; false if that is Begin.
  bool leave_match(std::size_t& i, int& k, CellState& state) const {
    float best = possible(model_.transition(kIntoFromMatch, k), value(i - 1, kMatch, k - 1));
    state = kMatch;
    const auto consider = [&](CellState from, Step step) {
      const float here = possible(model_.transition(step, k), value(i - 1, from, k - 1));
      if (!(here > best)) return;
      best = here;
      state = from;
    };
    consider(kInsert, kIntoFromInsert);
    consider(kDelete, kIntoFromDelete);
    if (possible(model_.transition(kIntoFromBegin, k), specials_[i - 1].b) > best) return false;
    --i;
    --k;
    return true;
  }

  const FloatModel& model_;
  std::size_t length_;
  LengthModel lengths_;
  const std::vector<OutsidePosterior>& outside_;
  const StripedMatrix& posteriors_;
  StripedMatrix& cells_;
  std::vector<SpecialRow> specials_;
};

}  // namespace

void keep_matches(std::vector<AlignedColumn>& columns) {
  const auto is_match = [](const AlignedColumn& column) { return column.state == kMatch; };
  columns.erase(columns.begin(), std::find_if(columns.begin(), columns.end(), is_match));
  std::reverse(columns.begin(), columns.end());
  columns.erase(columns.begin(), std::find_if(columns.begin(), columns.end(), is_match));
}

void EnvelopeAlignment::reduce(AlignmentDetail wanted) {
  if (wanted == AlignmentDetail::Rows) return;
  std::vector<AlignedColumn> ends;
  if (wanted == AlignmentDetail::None) {
    accuracy = 0;
  } else if (!columns.empty()) {
    ends = {columns.front(), columns.back()};
    for (AlignedColumn& column : ends) column.posterior = 0;
  }
  columns = std::move(ends);
}

EnvelopeAlignment align_envelope(const FloatModel& model, SequenceTask& task,
                                 const std::vector<OutsidePosterior>& outside) {
  return AccuracyAligner(model, task, outside).align();
}

}  // namespace gpuhmm::hmmer3
