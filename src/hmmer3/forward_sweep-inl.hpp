// Forward: row after row from the first residue on (docs/spec/hmmer3/forward-backward.md, 2).
#if defined(GPUHMM_HMMER3_FORWARD_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_HMMER3_FORWARD_SWEEP_INL
#undef GPUHMM_HMMER3_FORWARD_SWEEP_INL
#else
#define GPUHMM_HMMER3_FORWARD_SWEEP_INL
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
      total_[g] = with_scale(total_[g], row.e);
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
    task.forward_score = forward_score(total_[g], c, lengths_[g].move);
    begin(g);
  }

  Scalars total_{};             // logarithm of all scale factors
  Vector sum_ = Lanes::zero();  // of M over the row
};

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
