// The recurrences of Forward and Backward for vectors of any width that is a multiple of four: each group of
// four lanes has a sequence of its own and does, operation by operation, what one group would do.
//
// `Lanes` has the vector type and its operations (plain_lanes.hpp is the plainest). Scalars of the groups are
// in arrays of Lanes::kGroups.
#if defined(GPUHMM_HMMER3_STRIPED_RECURRENCES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_HMMER3_STRIPED_RECURRENCES_INL
#undef GPUHMM_HMMER3_STRIPED_RECURRENCES_INL
#else
#define GPUHMM_HMMER3_STRIPED_RECURRENCES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "hmmer3/forward_backward.hpp"
#include "simd/aligned_buffer.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

/// Tasks of one model side by side, at most one a group; groups without a task hold null.
template <class Lanes>
using TaskGroup = std::array<SequenceTask*, Lanes::kGroups>;

/// What both directions have in common.
template <class Lanes>
class StripedSweep {
 protected:
  static constexpr std::size_t kGroups = Lanes::kGroups, kWidth = kGroups * kStripes;
  using Vector = typename Lanes::Vector;
  using Scalars = std::array<float, kGroups>;

  StripedSweep(const FloatModel& model, const TaskGroup<Lanes>& tasks)
      : model_(model), tasks_(tasks), steps_(model.steps()), cells_(steps_ * kCellStates * kWidth, 0.0F) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (tasks_[g] == nullptr) continue;
      const LengthModel& lengths = tasks_[g]->lengths;
      move_[g] = lengths.move;
      loop_[g] = lengths.loop;
      end_to_c_[g] = lengths.end_to_c;
      end_to_j_[g] = lengths.end_to_j;
    }
  }

  std::size_t length(std::size_t g) const { return tasks_[g] == nullptr ? 0 : tasks_[g]->sequence.size(); }
  std::size_t longest() const {
    std::size_t most = 0;
    for (std::size_t g = 0; g < kGroups; ++g) most = std::max(most, length(g));
    return most;
  }

  Vector transition(std::size_t q, Step step) const {
    return Lanes::load_same(model_.transitions() + (q * kSteps + step) * kStripes);
  }
  Vector cell(std::size_t q, CellState state) const { return Lanes::load(place(q, state)); }
  void set_cell(std::size_t q, CellState state, Vector value) { Lanes::store(value, place(q, state)); }

  // Multiplies all cells by a factor a group.
  void scale_cells(const Scalars& factors) {
    const Vector factor = Lanes::set(factors);
    for (std::size_t at = 0; at < steps_ * kCellStates * kWidth; at += kWidth) {
      Lanes::store(Lanes::multiply(Lanes::load(cells_.data() + at), factor), cells_.data() + at);
    }
  }
  // Copies a group's cells to row i of its matrix.
  void keep_cells(StripedMatrix& matrix, std::size_t i, std::size_t g) const {
    float* to = matrix.row(i);
    for (std::size_t v = 0; v < steps_ * kCellStates; ++v) {
      std::copy_n(cells_.data() + v * kWidth + g * kStripes, kStripes, to + v * kStripes);
    }
  }

  const FloatModel& model_;
  const TaskGroup<Lanes>& tasks_;
  std::size_t steps_;
  Scalars move_{}, loop_{}, end_to_c_{}, end_to_j_{};

 private:
  float* place(std::size_t q, CellState state) { return cells_.data() + (q * kCellStates + state) * kWidth; }
  const float* place(std::size_t q, CellState state) const {
    return cells_.data() + (q * kCellStates + state) * kWidth;
  }

  simd::AlignedBuffer<float> cells_;  // of the row: [step][CellState][group][stripe]
};

/// Forward (forward-backward.md, 2).
template <class Lanes>
class ForwardSweep : StripedSweep<Lanes> {
  using Base = StripedSweep<Lanes>;
  using Base::kGroups, typename Base::Vector, typename Base::Scalars;
  using Base::length, Base::transition, Base::cell, Base::set_cell;
  using Base::model_, Base::tasks_, Base::steps_, Base::move_, Base::loop_, Base::end_to_c_, Base::end_to_j_;

 public:
  ForwardSweep(const FloatModel& model, const TaskGroup<Lanes>& tasks) : Base(model, tasks) {}

  void run() {
    begin();
    const std::size_t rows = this->longest();
    for (std::size_t i = 1; i <= rows; ++i) {
      const Vector deletion = match_and_insert(i);
      delete_to_delete(deletion);
      specials();
      scale();
      keep(i);
    }
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (tasks_[g] != nullptr) finish(g);
    }
  }

 private:
  void begin() {
    for (std::size_t g = 0; g < kGroups; ++g) {
      row_[g] = {0, 1, 0, move_[g], 0, 1};
      if (tasks_[g] == nullptr) continue;
      tasks_[g]->forward.resize(length(g) + 1);
      tasks_[g]->forward[0] = row_[g];
      if (StripedMatrix* const cells = tasks_[g]->forward_cells) {
        cells->resize(length(g), steps_);
        this->keep_cells(*cells, 0, g);
      }
    }
  }

  // Step 1: all M and I, and of D what comes from M. Gives what M of the last step contributes to D.
  Vector match_and_insert(std::size_t i) {
    const float* emissions[kGroups];
    Scalars begin;
    for (std::size_t g = 0; g < kGroups; ++g) {
      emissions[g] = i <= length(g) ? model_.emissions(tasks_[g]->sequence[i - 1]) : kNothing.data();
      stride_[g] = i <= length(g) ? kStripes : 0;
      begin[g] = row_[g].b;
    }
    const Vector from_begin = Lanes::set(begin);
    Vector sum = Lanes::zero(), deletion = Lanes::zero();
    Vector match = Lanes::up(cell(steps_ - 1, kMatch)), insert = Lanes::up(cell(steps_ - 1, kInsert));
    Vector del = Lanes::up(cell(steps_ - 1, kDelete));
    for (std::size_t q = 0; q < steps_; ++q) {
      Vector s = Lanes::multiply(from_begin, transition(q, kIntoFromBegin));
      s = Lanes::add(s, Lanes::multiply(match, transition(q, kIntoFromMatch)));
      s = Lanes::add(s, Lanes::multiply(insert, transition(q, kIntoFromInsert)));
      s = Lanes::add(s, Lanes::multiply(del, transition(q, kIntoFromDelete)));
      s = Lanes::multiply(s, Lanes::load_each(emissions));
      sum = Lanes::add(sum, s);
      match = cell(q, kMatch);
      insert = cell(q, kInsert);
      del = cell(q, kDelete);
      set_cell(q, kMatch, s);
      set_cell(q, kDelete, deletion);
      deletion = Lanes::multiply(s, transition(q, kMatchToDelete));
      set_cell(q, kInsert,
               Lanes::add(Lanes::multiply(match, transition(q, kMatchToInsert)),
                          Lanes::multiply(insert, transition(q, kInsertToInsert))));
      for (std::size_t g = 0; g < kGroups; ++g) emissions[g] += stride_[g];
    }
    sum_ = sum;
    return deletion;
  }

  // Step 2.
  void delete_to_delete(Vector path) {
    constexpr int kStopsEarly = 100;  // nodes
    path = Lanes::up(path);
    set_cell(0, kDelete, Lanes::zero());
    for (std::size_t q = 0; q < steps_; ++q) {
      const Vector sum = Lanes::add(path, cell(q, kDelete));
      set_cell(q, kDelete, sum);
      path = Lanes::multiply(sum, transition(q, kDeleteToDelete));
    }
    for (int pass = 0; pass < 3; ++pass) {
      path = Lanes::up(path);
      auto changed = Lanes::no_lanes();
      for (std::size_t q = 0; q < steps_; ++q) {
        const Vector before = cell(q, kDelete), sum = Lanes::add(path, before);
        changed = Lanes::or_greater(changed, sum, before);
        set_cell(q, kDelete, sum);
        path = Lanes::multiply(path, transition(q, kDeleteToDelete));
      }
      if (model_.nodes() < kStopsEarly) continue;
      // A group in which nothing has changed stops: from here on nothing is added.
      if (!Lanes::any(changed)) break;
      path = Lanes::zero_unless_any(changed, path);
    }
  }

  // Step 3.
  void specials() {
    Vector sum = sum_;
    for (std::size_t q = 0; q < steps_; ++q) sum = Lanes::add(cell(q, kDelete), sum);
    const Scalars ends = Lanes::sums(sum);
    for (std::size_t g = 0; g < kGroups; ++g) {
      SpecialRow& row = row_[g];
      row.e = ends[g];
      row.n = row.n * loop_[g];
      row.c = row.c * loop_[g] + row.e * end_to_c_[g];
      row.j = row.j * loop_[g] + row.e * end_to_j_[g];
      row.b = row.j * move_[g] + row.n * move_[g];
    }
  }

  // Step 4.
  void scale() {
    constexpr double kTooLarge = 1.0e4;
    Scalars factors;
    factors.fill(1);
    bool any = false;
    for (std::size_t g = 0; g < kGroups; ++g) {
      SpecialRow& row = row_[g];
      row.scale = 1;
      if (!(static_cast<double>(row.e) > kTooLarge)) continue;
      any = true;
      for (float* const value : {&row.n, &row.c, &row.j, &row.b}) *value = *value / row.e;
      factors[g] = static_cast<float>(1.0 / static_cast<double>(row.e));
      row.scale = row.e;
      total_[g] = static_cast<float>(static_cast<double>(total_[g]) + std::log(static_cast<double>(row.e)));
      row.e = 1;
    }
    if (any) this->scale_cells(factors);
  }

  void keep(std::size_t i) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (i > length(g)) continue;
      tasks_[g]->forward[i] = row_[g];
      if (tasks_[g]->forward_cells != nullptr) this->keep_cells(*tasks_[g]->forward_cells, i, g);
      if (i == length(g)) final_[g] = {row_[g].c, total_[g]};
    }
  }

  void finish(std::size_t g) {
    const auto [c, total] = final_[g];
    if (std::isnan(c)) throw ImpossibleComparison("forward score is NaN");
    if (c == 0.0F) throw ImpossibleComparison("forward score underflow (is 0.0)");
    if (std::isinf(c)) throw ImpossibleComparison("forward score overflow (is infinity)");
    tasks_[g]->forward_score =
        static_cast<float>(static_cast<double>(total) + std::log(static_cast<double>(c * move_[g])));
  }

  struct Final {
    float c = 0, total = 0;
  };
  static constexpr std::array<float, kStripes> kNothing{};  // emissions behind the end of a sequence

  std::array<SpecialRow, kGroups> row_;
  std::array<Final, kGroups> final_;
  std::array<std::size_t, kGroups> stride_;
  Scalars total_{};
  Vector sum_ = Lanes::zero();  // of M over the row
};

/// Backward (forward-backward.md, 3): row L - t of each sequence at time t.
template <class Lanes>
class BackwardSweep : StripedSweep<Lanes> {
  using Base = StripedSweep<Lanes>;
  using Base::kGroups, typename Base::Vector, typename Base::Scalars;
  using Base::length, Base::transition, Base::cell, Base::set_cell;
  using Base::model_, Base::tasks_, Base::steps_, Base::move_, Base::loop_, Base::end_to_c_, Base::end_to_j_;

 public:
  BackwardSweep(const FloatModel& model, const TaskGroup<Lanes>& tasks) : Base(model, tasks) {}

  void run() {
    last_row();
    const std::size_t rows = this->longest();
    for (std::size_t t = 0; t < rows; ++t) {
      if (t > 0) row(t);
      scale(t);
      keep(t);
      finish(t);
    }
  }

 private:
  // The row of group g at time t; 0 if it is done.
  std::size_t row_of(std::size_t g, std::size_t t) const { return length(g) > t ? length(g) - t : 0; }

  void last_row() {
    Scalars ends{};
    for (std::size_t g = 0; g < kGroups; ++g) {
      row_[g] = {move_[g] * end_to_c_[g], 0, 0, 0, move_[g], 1};
      ends[g] = row_[g].e;
      if (tasks_[g] == nullptr) continue;
      tasks_[g]->backward.assign(length(g) + 1, {});
      tasks_[g]->own_scales = false;
      if (tasks_[g]->backward_cells != nullptr) tasks_[g]->backward_cells->resize(length(g), steps_);
    }
    const Vector end = Lanes::set(ends);
    for (std::size_t q = 0; q < steps_; ++q) {
      set_cell(q, kMatch, end);
      set_cell(q, kDelete, end);
      set_cell(q, kInsert, Lanes::zero());
    }
    Vector after = Lanes::down(cell(0, kDelete)), path = Lanes::zero();
    for (std::size_t q = steps_; q-- > 0;) {
      path = Lanes::multiply(after, transition(q, kDeleteToDelete));
      after = Lanes::add(cell(q, kDelete), path);
      set_cell(q, kDelete, after);
    }
    finish_deletes(path);
  }

  // The passes over stripe borders, and what M gets from D.
  void finish_deletes(Vector path) {
    for (int pass = 0; pass < 3; ++pass) {
      path = Lanes::down(path);
      for (std::size_t q = steps_; q-- > 0;) {
        path = Lanes::multiply(path, transition(q, kDeleteToDelete));
        set_cell(q, kDelete, Lanes::add(cell(q, kDelete), path));
      }
    }
    Vector after = Lanes::down(cell(0, kDelete));
    for (std::size_t q = steps_; q-- > 0;) {
      set_cell(q, kMatch, Lanes::add(cell(q, kMatch), Lanes::multiply(after, transition(q, kMatchToDelete))));
      after = cell(q, kDelete);
    }
  }

  void row(std::size_t t) {
    const float* emissions[kGroups];
    std::array<std::size_t, kGroups> stride;
    for (std::size_t g = 0; g < kGroups; ++g) {
      const std::size_t i = row_of(g, t);
      emissions[g] = i > 0 ? model_.emissions(tasks_[g]->sequence[i]) : kNothing.data();
      stride[g] = i > 0 ? kStripes : 0;
    }
    Vector match = Lanes::down(Lanes::multiply(cell(0, kMatch), Lanes::load_each(emissions)));
    for (std::size_t g = 0; g < kGroups; ++g) emissions[g] += stride[g] * (steps_ - 1);
    Vector into_match = Lanes::down(transition(0, kIntoFromMatch));
    Vector into_insert = Lanes::down(transition(0, kIntoFromInsert));
    Vector into_delete = Lanes::down(transition(0, kIntoFromDelete));
    Vector sum = Lanes::zero();
    for (std::size_t q = steps_; q-- > 0;) {
      const Vector insert = cell(q, kInsert);
      set_cell(q, kInsert,
               Lanes::add(Lanes::multiply(insert, transition(q, kInsertToInsert)),
                          Lanes::multiply(match, into_insert)));
      set_cell(q, kDelete, Lanes::multiply(match, into_delete));
      const Vector now = Lanes::add(Lanes::multiply(insert, transition(q, kMatchToInsert)),
                                    Lanes::multiply(match, into_match));
      match = Lanes::multiply(cell(q, kMatch), Lanes::load_each(emissions));
      set_cell(q, kMatch, now);
      into_delete = transition(q, kIntoFromDelete);
      into_insert = transition(q, kIntoFromInsert);
      into_match = transition(q, kIntoFromMatch);
      sum = Lanes::add(sum, Lanes::multiply(match, transition(q, kIntoFromBegin)));
      if (q > 0) {
        for (std::size_t g = 0; g < kGroups; ++g) emissions[g] -= stride[g];
      }
    }
    const Vector end = Lanes::set(specials(Lanes::sums(sum)));

    Vector after = Lanes::down(Lanes::add(cell(0, kDelete), end)), path = Lanes::zero();
    for (std::size_t q = steps_; q-- > 0;) {
      path = Lanes::multiply(after, transition(q, kDeleteToDelete));
      after = Lanes::add(cell(q, kDelete), Lanes::add(path, end));
      set_cell(q, kDelete, after);
      set_cell(q, kMatch, Lanes::add(cell(q, kMatch), end));
    }
    finish_deletes(path);
  }

  // Gives the new E.
  Scalars specials(const Scalars& begins) {
    Scalars ends;
    for (std::size_t g = 0; g < kGroups; ++g) {
      SpecialRow& row = row_[g];
      row.b = begins[g];
      row.c = row.c * loop_[g];
      row.j = row.b * move_[g] + row.j * loop_[g];
      row.n = row.b * move_[g] + row.n * loop_[g];
      row.e = row.c * end_to_c_[g] + row.j * end_to_j_[g];
      ends[g] = row.e;
    }
    return ends;
  }

  void scale(std::size_t t) {
    constexpr double kOwnScales = 1.0e16, kTooLarge = 1.0e4;
    Scalars factors;
    factors.fill(1);
    bool any = false;
    for (std::size_t g = 0; g < kGroups; ++g) {
      const std::size_t i = row_of(g, t);
      if (i == 0) continue;
      SpecialRow& row = row_[g];
      const auto begin = static_cast<double>(row.b);
      bool& own = tasks_[g]->own_scales;
      if (t > 0 && begin > kOwnScales) own = true;
      row.scale = own ? (begin > kTooLarge ? row.b : 1.0F) : tasks_[g]->forward[i].scale;
      if (!(row.scale > 1.0F)) continue;
      any = true;
      for (float* const value : {&row.e, &row.n, &row.j, &row.b, &row.c}) *value = *value / row.scale;
      factors[g] = static_cast<float>(1.0 / static_cast<double>(row.scale));
    }
    if (any) this->scale_cells(factors);
  }

  void keep(std::size_t t) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const std::size_t i = row_of(g, t);
      if (i == 0) continue;
      tasks_[g]->backward[i] = row_[g];
      if (tasks_[g]->backward_cells != nullptr) this->keep_cells(*tasks_[g]->backward_cells, i, g);
    }
  }

  // Row 0 of the sequences whose row 1 is done.
  void finish(std::size_t t) {
    bool any = false;
    for (std::size_t g = 0; g < kGroups; ++g) any = any || row_of(g, t) == 1;
    if (!any) return;
    const float* emissions[kGroups];
    std::array<std::size_t, kGroups> stride;
    for (std::size_t g = 0; g < kGroups; ++g) {
      const bool first = row_of(g, t) == 1;
      emissions[g] = first ? model_.emissions(tasks_[g]->sequence[0]) : kNothing.data();
      stride[g] = first ? kStripes : 0;
    }
    Vector sum = Lanes::zero();
    for (std::size_t q = 0; q < steps_; ++q) {
      const Vector match = Lanes::multiply(cell(q, kMatch), Lanes::load_each(emissions));
      sum = Lanes::add(sum, Lanes::multiply(match, transition(q, kIntoFromBegin)));
      for (std::size_t g = 0; g < kGroups; ++g) emissions[g] += stride[g];
    }
    const Scalars begins = Lanes::sums(sum);
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (row_of(g, t) != 1) continue;
      SpecialRow& row = tasks_[g]->backward[0];
      row = {0, begins[g] * move_[g] + row_[g].n * loop_[g], 0, begins[g], 0, 1};
    }
  }

  static constexpr std::array<float, kStripes> kNothing{};

  std::array<SpecialRow, kGroups> row_;
};

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
