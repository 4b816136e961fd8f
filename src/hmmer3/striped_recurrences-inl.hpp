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

/// What both directions have in common: a group takes the next task as soon as it is done with one.
template <class Lanes>
class StripedSweep {
 protected:
  static constexpr std::size_t kGroups = Lanes::kGroups, kWidth = kGroups * kStripes;
  using Vector = typename Lanes::Vector;
  using Scalars = std::array<float, kGroups>;

  StripedSweep(const FloatModel& model, std::span<SequenceTask* const> tasks)
      : model_(model), waiting_(tasks), steps_(model.steps()), cells_(steps_ * kCellStates * kWidth, 0.0F) {}

  // Gives the group the next task; false, and zeros in its cells, if there is none.
  bool take_task(std::size_t g) {
    for (std::size_t at = g * kStripes; at < steps_ * kCellStates * kWidth; at += kWidth) {
      std::fill_n(cells_.data() + at, kStripes, 0.0F);
    }
    tasks_[g] = nullptr;
    row_[g] = {};
    if (waiting_.empty()) {
      lengths_[g] = {};
      return false;
    }
    tasks_[g] = waiting_.front();
    waiting_ = waiting_.subspan(1);
    lengths_[g] = tasks_[g]->lengths;
    return true;
  }
  bool idle() const {
    return std::all_of(tasks_.begin(), tasks_.end(),
                       [](const SequenceTask* task) { return task == nullptr; });
  }

  // The emissions of a residue, or zeros for an idle group.
  void set_emissions(std::size_t g, bool active, std::size_t residue) {
    emissions_[g] = active ? model_.emissions(tasks_[g]->sequence[residue]) : kNothing.data();
    stride_[g] = active ? kStripes : 0;
  }
  Vector emissions() const { return Lanes::load_each(emissions_); }
  void move_emissions(std::ptrdiff_t steps) {
    for (std::size_t g = 0; g < kGroups; ++g) emissions_[g] += stride_[g] * steps;
  }

  Vector transition(std::size_t q, Step step) const {
    return Lanes::load_same(model_.transitions() + (q * kSteps + step) * kStripes);
  }
  Vector cell(std::size_t q, CellState state) const { return Lanes::load(place(q, state)); }
  void set_cell(std::size_t q, CellState state, Vector value) { Lanes::store(value, place(q, state)); }
  // The cells of one group.
  float* group_cells(std::size_t q, CellState state, std::size_t g) { return place(q, state) + g * kStripes; }

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
  std::array<SequenceTask*, kGroups> tasks_{};  // null: idle
  std::array<LengthModel, kGroups> lengths_{};
  std::array<std::size_t, kGroups> at_{};  // the row that is computed next
  std::array<SpecialRow, kGroups> row_{};

 private:
  static constexpr std::array<float, kStripes> kNothing{};

  float* place(std::size_t q, CellState state) { return cells_.data() + (q * kCellStates + state) * kWidth; }
  const float* place(std::size_t q, CellState state) const {
    return cells_.data() + (q * kCellStates + state) * kWidth;
  }

  std::span<SequenceTask* const> waiting_;

 protected:
  std::size_t steps_;

 private:
  simd::AlignedBuffer<float> cells_;  // of the row: [step][CellState][group][stripe]
  const float* emissions_[kGroups];
  std::array<std::size_t, kGroups> stride_;
};

/// Forward (forward-backward.md, 2).
template <class Lanes>
class ForwardSweep : StripedSweep<Lanes> {
  using Base = StripedSweep<Lanes>;
  using Base::kGroups, typename Base::Vector, typename Base::Scalars;
  using Base::model_, Base::tasks_, Base::steps_, Base::lengths_, Base::at_, Base::row_;
  using Base::transition, Base::cell, Base::set_cell;

 public:
  ForwardSweep(const FloatModel& model, std::span<SequenceTask* const> tasks) : Base(model, tasks) {
    for (std::size_t g = 0; g < kGroups; ++g) begin(g);
  }

  void run() {
    while (!this->idle()) {
      const Vector deletion = match_and_insert();
      delete_to_delete(deletion);
      specials();
      scale();
      for (std::size_t g = 0; g < kGroups; ++g) {
        if (tasks_[g] != nullptr) keep(g);
      }
    }
  }

 private:
  // Row 0.
  void begin(std::size_t g) {
    if (!this->take_task(g)) return;
    SequenceTask& task = *tasks_[g];
    at_[g] = 1;
    total_[g] = 0;
    row_[g] = {0, 1, 0, lengths_[g].move, 0, 1};
    task.forward.resize(task.sequence.size() + 1);
    task.forward[0] = row_[g];
    if (task.forward_cells == nullptr) return;
    task.forward_cells->resize(task.sequence.size(), steps_);
    this->keep_cells(*task.forward_cells, 0, g);
  }

  // Step 1: all M and I, and of D what comes from M. Gives what M of the last step contributes to D.
  Vector match_and_insert() {
    Scalars begin;
    for (std::size_t g = 0; g < kGroups; ++g) {
      this->set_emissions(g, tasks_[g] != nullptr, at_[g] - 1);
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
      s = Lanes::multiply(s, this->emissions());
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
      this->move_emissions(1);
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
      row.n = row.n * lengths_[g].loop;
      row.c = row.c * lengths_[g].loop + row.e * lengths_[g].end_to_c;
      row.j = row.j * lengths_[g].loop + row.e * lengths_[g].end_to_j;
      row.b = row.j * lengths_[g].move + row.n * lengths_[g].move;
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

  // Keeps the row; behind the last one the group takes its next task.
  void keep(std::size_t g) {
    SequenceTask& task = *tasks_[g];
    task.forward[at_[g]] = row_[g];
    if (task.forward_cells != nullptr) this->keep_cells(*task.forward_cells, at_[g], g);
    if (at_[g]++ < task.sequence.size()) return;
    const float c = row_[g].c;
    if (std::isnan(c)) throw ImpossibleComparison("forward score is NaN");
    if (c == 0.0F) throw ImpossibleComparison("forward score underflow (is 0.0)");
    if (std::isinf(c)) throw ImpossibleComparison("forward score overflow (is infinity)");
    task.forward_score = static_cast<float>(static_cast<double>(total_[g]) +
                                            std::log(static_cast<double>(c * lengths_[g].move)));
    begin(g);
  }

  Scalars total_{};             // logarithm of all scale factors
  Vector sum_ = Lanes::zero();  // of M over the row
};

/// Backward (forward-backward.md, 3).
template <class Lanes>
class BackwardSweep : StripedSweep<Lanes> {
  using Base = StripedSweep<Lanes>;
  using Base::kGroups, typename Base::Vector, typename Base::Scalars;
  using Base::model_, Base::tasks_, Base::steps_, Base::lengths_, Base::at_, Base::row_;
  using Base::transition, Base::cell, Base::set_cell;

 public:
  BackwardSweep(const FloatModel& model, std::span<SequenceTask* const> tasks) : Base(model, tasks) {
    for (std::size_t g = 0; g < kGroups; ++g) begin(g);
  }

  void run() {
    while (!this->idle()) {
      row();
      scale();
      for (std::size_t g = 0; g < kGroups; ++g) {
        if (tasks_[g] != nullptr) keep(g);
      }
    }
  }

 private:
  // The last rows of tasks, until one has more rows.
  void begin(std::size_t g) {
    while (this->take_task(g)) {
      last_row(g);
      if (at_[g] > 0) return;
      first_row(g);
    }
  }

  // Row L of one group, lane by lane.
  void last_row(std::size_t g) {
    SequenceTask& task = *tasks_[g];
    const std::size_t length = task.sequence.size();
    task.backward.assign(length + 1, {});
    task.own_scales = false;
    if (task.backward_cells != nullptr) task.backward_cells->resize(length, steps_);
    const float end = lengths_[g].move * lengths_[g].end_to_c;
    row_[g] = {end, 0, 0, 0, lengths_[g].move, 1};
    using Four = std::array<float, kStripes>;
    const auto of_step = [&](std::size_t q, Step step, std::size_t r) {
      return model_.transitions()[(q * kSteps + step) * kStripes + r];
    };
    const auto down = [](Four v) { return Four{v[1], v[2], v[3], 0}; };
    for (std::size_t q = 0; q < steps_; ++q) {
      std::fill_n(this->group_cells(q, kMatch, g), kStripes, end);
      std::fill_n(this->group_cells(q, kDelete, g), kStripes, end);
    }
    Four after = down({end, end, end, end}), path{};
    for (std::size_t q = steps_; q-- > 0;) {
      float* const deletion = this->group_cells(q, kDelete, g);
      for (std::size_t r = 0; r < kStripes; ++r) {
        path[r] = after[r] * of_step(q, kDeleteToDelete, r);
        after[r] = deletion[r] = deletion[r] + path[r];
      }
    }
    for (int pass = 0; pass < 3; ++pass) {
      path = down(path);
      for (std::size_t q = steps_; q-- > 0;) {
        float* const deletion = this->group_cells(q, kDelete, g);
        for (std::size_t r = 0; r < kStripes; ++r) {
          path[r] = path[r] * of_step(q, kDeleteToDelete, r);
          deletion[r] = deletion[r] + path[r];
        }
      }
    }
    const float* const first = this->group_cells(0, kDelete, g);
    after = down({first[0], first[1], first[2], first[3]});
    for (std::size_t q = steps_; q-- > 0;) {
      float* const match = this->group_cells(q, kMatch, g);
      const float* const deletion = this->group_cells(q, kDelete, g);
      for (std::size_t r = 0; r < kStripes; ++r) {
        match[r] = match[r] + after[r] * of_step(q, kMatchToDelete, r);
        after[r] = deletion[r];
      }
    }
    const float scale = task.forward[length].scale;
    if (scale > 1.0F) {
      const auto factor = static_cast<float>(1.0 / static_cast<double>(scale));
      for (std::size_t q = 0; q < steps_; ++q) {
        for (const CellState state : {kMatch, kDelete, kInsert}) {
          float* const cells = this->group_cells(q, state, g);
          for (std::size_t r = 0; r < kStripes; ++r) cells[r] = cells[r] * factor;
        }
      }
    }
    at_[g] = length;
    divide(row_[g], scale);
    store(g);
    --at_[g];
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

  void row() {
    for (std::size_t g = 0; g < kGroups; ++g) this->set_emissions(g, tasks_[g] != nullptr, at_[g]);
    Vector match = Lanes::down(Lanes::multiply(cell(0, kMatch), this->emissions()));
    this->move_emissions(static_cast<std::ptrdiff_t>(steps_) - 1);
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
      match = Lanes::multiply(cell(q, kMatch), this->emissions());
      set_cell(q, kMatch, now);
      into_delete = transition(q, kIntoFromDelete);
      into_insert = transition(q, kIntoFromInsert);
      into_match = transition(q, kIntoFromMatch);
      sum = Lanes::add(sum, Lanes::multiply(match, transition(q, kIntoFromBegin)));
      if (q > 0) this->move_emissions(-1);
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
      const LengthModel& lengths = lengths_[g];
      row.b = begins[g];
      row.c = row.c * lengths.loop;
      row.j = row.b * lengths.move + row.j * lengths.loop;
      row.n = row.b * lengths.move + row.n * lengths.loop;
      row.e = row.c * lengths.end_to_c + row.j * lengths.end_to_j;
      ends[g] = row.e;
    }
    return ends;
  }

  static void divide(SpecialRow& row, float scale) {
    row.scale = scale;
    if (!(scale > 1.0F)) return;
    for (float* const value : {&row.e, &row.n, &row.j, &row.b, &row.c}) *value = *value / scale;
  }

  void scale() {
    constexpr double kOwnScales = 1.0e16, kTooLarge = 1.0e4;
    Scalars factors;
    factors.fill(1);
    bool any = false;
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (tasks_[g] == nullptr) continue;
      const auto begin = static_cast<double>(row_[g].b);
      bool& own = tasks_[g]->own_scales;
      if (begin > kOwnScales) own = true;
      const float scale = own ? (begin > kTooLarge ? row_[g].b : 1.0F) : tasks_[g]->forward[at_[g]].scale;
      divide(row_[g], scale);
      if (!(scale > 1.0F)) continue;
      any = true;
      factors[g] = static_cast<float>(1.0 / static_cast<double>(scale));
    }
    if (any) this->scale_cells(factors);
  }

  void store(std::size_t g) {
    SequenceTask& task = *tasks_[g];
    task.backward[at_[g]] = row_[g];
    if (task.backward_cells != nullptr) this->keep_cells(*task.backward_cells, at_[g], g);
  }

  // Keeps the row; behind row 1 the group takes its next task.
  void keep(std::size_t g) {
    store(g);
    if (--at_[g] > 0) return;
    first_row(g);
    begin(g);
  }

  // Row 0 of one group, lane by lane.
  void first_row(std::size_t g) {
    const float* const emissions = model_.emissions(tasks_[g]->sequence[0]);
    std::array<float, kStripes> sum{};
    for (std::size_t q = 0; q < steps_; ++q) {
      const float* const match = this->group_cells(q, kMatch, g);
      const float* const begin = model_.transitions() + (q * kSteps + kIntoFromBegin) * kStripes;
      for (std::size_t r = 0; r < kStripes; ++r) {
        sum[r] = sum[r] + (match[r] * emissions[q * kStripes + r]) * begin[r];
      }
    }
    const float begin = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    tasks_[g]->backward[0] = {0, begin * lengths_[g].move + row_[g].n * lengths_[g].loop, 0, begin, 0, 1};
  }
};

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
