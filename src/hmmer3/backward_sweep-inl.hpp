// Backward: row after row from the last residue on (docs/spec/hmmer3/forward-backward.md, 3).
#if defined(GPUHMM_HMMER3_BACKWARD_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_HMMER3_BACKWARD_SWEEP_INL
#undef GPUHMM_HMMER3_BACKWARD_SWEEP_INL
#else
#define GPUHMM_HMMER3_BACKWARD_SWEEP_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "hmmer3/forward_backward.hpp"
#include "hmmer3/striped_sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

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
