// Backward: row after row from the last residue on (docs/spec/hmmer3/forward-backward.md, 3).
#if defined(GPUHMM_HMMER3_BACKWARD_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_HMMER3_BACKWARD_SWEEP_INL
#undef GPUHMM_HMMER3_BACKWARD_SWEEP_INL
#else
#define GPUHMM_HMMER3_BACKWARD_SWEEP_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "hmmer3/forward_backward.hpp"
#include "hmmer3/striped_sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

/// Backward (forward-backward.md, 3). The row at hand has M without what comes from E and D, and neither M
/// nor I is divided by the row's scale: the row above it does both when it reads them.
template <class Lanes>
class BackwardSweep : StripedSweep<Lanes> {
  using Base = StripedSweep<Lanes>;
  using Base::kGroups, Base::kWidth, typename Base::Vector, typename Base::Scalars;
  using Base::model_, Base::tasks_, Base::steps_, Base::lengths_, Base::at_, Base::row_;
  using Base::transition, Base::emissions, Base::match_at, Base::insert_at, Base::factors_, Base::scaled_;

 public:
  /// `kept`: M and I of all rows of Forward, whose place their products with Backward's cells take; for as
  /// many tasks as there are groups at most.
  BackwardSweep(const FloatModel& model, std::span<SequenceTask* const> tasks, SharedRows* kept = nullptr)
      : Base(model, tasks), kept_(kept) {
    for (std::size_t q = 0; q < steps_; ++q) {
      for (std::size_t r = 0; r < kStripes; ++r) {
        falling_ = falling_ && transition(q, kDeleteToDelete, r) <= 1.0F;
      }
    }
  }

  void run() {
    if (kept_ == nullptr) {
      for (std::size_t g = 0; g < kGroups; ++g) begin(g);
      while (!this->idle()) {
        compute_row(nullptr);
        for (std::size_t g = 0; g < kGroups; ++g) {
          if (tasks_[g] != nullptr) keep(g);
        }
      }
      return;
    }
    std::size_t length = 0;
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (this->take_task(g)) length = std::max(length, tasks_[g]->sequence.size());
    }
    multiply_rows(length);
  }

 private:
  // All tasks side by side, in the same row; each begins when its last row is reached.
  void multiply_rows(std::size_t length) {
    std::array<SequenceTask*, kGroups> given = tasks_;
    tasks_.fill(nullptr);
    for (std::size_t i = length; i > 0; --i) {
      if (i < length) compute_row(kept_->row(i + 1));
      for (std::size_t g = 0; g < kGroups; ++g) {
        if (tasks_[g] != nullptr) {
          store(g);
        } else if (given[g] != nullptr && given[g]->sequence.size() == i) {
          tasks_[g] = given[g];
          last_row(g);
        }
      }
      for (std::size_t g = 0; g < kGroups; ++g) at_[g] = i - 1;
    }
    multiply_first_row();
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (tasks_[g] != nullptr) first_row(g);
    }
  }

  // The last rows of tasks, until one has more rows.
  void begin(std::size_t g) {
    while (true) {
      this->clear_group(g);
      ends_[g] = 0;
      if (!this->take_task(g)) return;
      last_row(g);
      if (--at_[g] > 0) return;
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
    const auto down = [](Four v) { return Four{v[1], v[2], v[3], 0}; };
    this->clear_group(g);
    ends_[g] = end;
    Four after = down({end, end, end, end}), path{};
    for (std::size_t q = steps_; q-- > 0;) {
      float* const deletion = this->deletes() + q * kWidth + g * kStripes;
      for (std::size_t r = 0; r < kStripes; ++r) {
        path[r] = after[r] * transition(q, kDeleteToDelete, r);
        after[r] = deletion[r] = end + path[r];
      }
    }
    for (int pass = 0; pass < 3; ++pass) {
      path = down(path);
      for (std::size_t q = steps_; q-- > 0;) {
        float* const deletion = this->deletes() + q * kWidth + g * kStripes;
        for (std::size_t r = 0; r < kStripes; ++r) {
          path[r] = path[r] * transition(q, kDeleteToDelete, r);
          deletion[r] = deletion[r] + path[r];
        }
      }
    }
    at_[g] = length;
    set_scale(g, task.forward[length].scale);
    store(g);
  }

  // M of a step of the row at hand as it is in the end, given D of the next step.
  template <bool kScaled>
  HWY_INLINE Vector whole_match(std::size_t q, const Vector& after) const {
    Vector m = Lanes::add(Lanes::load(this->match_insert() + match_at(q)), end_);
    m = Lanes::add(m, Lanes::multiply(after, transition(q, kMatchToDelete)));
    if constexpr (kScaled) m = Lanes::multiply(m, factor_);
    return m;
  }
  template <bool kScaled>
  HWY_INLINE Vector whole_insert(std::size_t q) const {
    const Vector insert = Lanes::load(this->match_insert() + insert_at(q));
    if constexpr (kScaled) return Lanes::multiply(insert, factor_);
    return insert;
  }
  HWY_INLINE Vector deletion(std::size_t q) const { return Lanes::load(this->deletes() + q * kWidth); }

  // Multiplies Forward's cells by those of the row at hand.
  template <bool kForwardScaled>
  HWY_INLINE void multiply_cells(float* forward, std::size_t q, const Vector& match,
                                 const Vector& insert) const {
    for (const bool is_match : {true, false}) {
      float* const cells = forward + (is_match ? match_at(q) : insert_at(q));
      Vector f = Lanes::load(cells);
      if constexpr (kForwardScaled) f = Lanes::multiply(f, forward_factor_);
      Lanes::store(Lanes::multiply(f, is_match ? match : insert), cells);
    }
  }
  // Prepares for the row at hand to be read. Returns whether Forward has scaled the row.
  bool prepare_row(std::size_t i, bool multiplies) {
    end_ = Lanes::set(ends_);
    factor_ = Lanes::set(factors_);
    if (!multiplies) return false;
    Scalars factors;
    factors.fill(1);
    bool any = false;
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (tasks_[g] == nullptr) continue;
      const float scale = tasks_[g]->forward[i].scale;
      if (scale == 1.0F) continue;
      factors[g] = static_cast<float>(1.0 / static_cast<double>(scale));
      any = true;
    }
    forward_factor_ = Lanes::set(factors);
    return any;
  }

  // Row at_ of all groups. `forward`: cells of the row below, to be multiplied, if any.
  void compute_row(float* forward) {
    for (std::size_t g = 0; g < kGroups; ++g) this->set_emissions(g, tasks_[g] != nullptr, at_[g]);
    const bool forward_scaled = prepare_row(at_[0] + 1, forward != nullptr);
    if (forward == nullptr) {
      scaled_ ? match_and_insert<true, false, false>(nullptr)
              : match_and_insert<false, false, false>(nullptr);
    } else if (forward_scaled) {
      scaled_ ? match_and_insert<true, true, true>(forward) : match_and_insert<false, true, true>(forward);
    } else {
      scaled_ ? match_and_insert<true, true, false>(forward) : match_and_insert<false, true, false>(forward);
    }
    delete_to_delete();
    scale();
  }

  template <bool kScaled, bool kMultiplies, bool kForwardScaled>
  void match_and_insert(float* forward) {
    float *const cells = this->match_insert(), *const deletes = this->deletes();
    Vector match = Lanes::down(Lanes::multiply(whole_match<kScaled>(0, deletion(1)), emissions(0)));
    Vector into_match = Lanes::down(transition(0, kIntoFromMatch));
    Vector into_insert = Lanes::down(transition(0, kIntoFromInsert));
    Vector into_delete = Lanes::down(transition(0, kIntoFromDelete));
    Vector after = Lanes::down(deletion(0)), sum = Lanes::zero();
    for (std::size_t q = steps_; q-- > 0;) {
      const Vector insert = whole_insert<kScaled>(q), old = whole_match<kScaled>(q, after);
      after = deletion(q);
      if constexpr (kMultiplies) multiply_cells<kForwardScaled>(forward, q, old, insert);
      Lanes::store(Lanes::add(Lanes::multiply(insert, transition(q, kInsertToInsert)),
                              Lanes::multiply(match, into_insert)),
                   cells + insert_at(q));
      Lanes::store(Lanes::multiply(match, into_delete), deletes + q * kWidth);
      Lanes::store(Lanes::add(Lanes::multiply(insert, transition(q, kMatchToInsert)),
                              Lanes::multiply(match, into_match)),
                   cells + match_at(q));
      match = Lanes::multiply(old, emissions(q));
      into_delete = transition(q, kIntoFromDelete);
      into_insert = transition(q, kIntoFromInsert);
      into_match = transition(q, kIntoFromMatch);
      sum = Lanes::add(sum, Lanes::multiply(match, transition(q, kIntoFromBegin)));
    }
    specials(Lanes::sums(sum));
  }

  // Gives the new E.
  void specials(const Scalars& begins) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      SpecialRow& row = row_[g];
      const LengthModel& lengths = lengths_[g];
      row.b = begins[g];
      row.c = row.c * lengths.loop;
      row.j = row.b * lengths.move + row.j * lengths.loop;
      row.n = row.b * lengths.move + row.n * lengths.loop;
      row.e = row.c * lengths.end_to_c + row.j * lengths.end_to_j;
      ends_[g] = row.e;
    }
    end_ = Lanes::set(ends_);
  }

  // Adds to D what comes from E and D. A path over a stripe border ends where it is too small to change
  // anything: D is E at least and paths never grow, so one below half of E's last digit stays without
  // effect.
  void delete_to_delete() {
    constexpr float kNegligible = 1.0F / (1U << 25U);
    constexpr std::size_t kBetweenTests = 4;
    float* const deletes = this->deletes();
    const Vector end = end_;
    Vector after = Lanes::down(Lanes::add(deletion(0), end)), path = Lanes::zero();
    for (std::size_t q = steps_; q-- > 0;) {
      path = Lanes::multiply(after, transition(q, kDeleteToDelete));
      after = Lanes::add(deletion(q), Lanes::add(path, end));
      Lanes::store(after, deletes + q * kWidth);
    }
    const Vector negligible = Lanes::multiply(end, Lanes::fill(kNegligible));
    for (int pass = 0; pass < 3; ++pass) {
      path = Lanes::down(path);
      for (std::size_t q = steps_; q-- > 0;) {
        if (falling_ && q % kBetweenTests == 0 && !Lanes::any(Lanes::greater(path, negligible))) return;
        path = Lanes::multiply(path, transition(q, kDeleteToDelete));
        Lanes::store(Lanes::add(deletion(q), path), deletes + q * kWidth);
      }
    }
  }

  // Divides the special states of the row by its scale; the cells are multiplied when they are read.
  void set_scale(std::size_t g, float scale) {
    SpecialRow& row = row_[g];
    row.scale = scale;
    factors_[g] = 1;
    if (!(scale > 1.0F)) return;
    for (float* const value : {&row.e, &row.n, &row.j, &row.b, &row.c}) *value = *value / scale;
    factors_[g] = static_cast<float>(1.0 / static_cast<double>(scale));
    scaled_ = true;
  }

  void scale() {
    constexpr double kOwnScales = 1.0e16, kTooLarge = 1.0e4;
    scaled_ = false;
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (tasks_[g] == nullptr) continue;
      const auto begin = static_cast<double>(row_[g].b);
      bool& own = tasks_[g]->own_scales;
      if (begin > kOwnScales) own = true;
      set_scale(g, own ? (begin > kTooLarge ? row_[g].b : 1.0F) : tasks_[g]->forward[at_[g]].scale);
    }
  }

  void store(std::size_t g) {
    SequenceTask& task = *tasks_[g];
    task.backward[at_[g]] = row_[g];
    if (task.backward_cells == nullptr) return;
    float* to = task.backward_cells->row(at_[g]);
    for (std::size_t q = 0; q < steps_; ++q, to += kCellStates * kStripes) {
      for (std::size_t r = 0; r < kStripes; ++r) {
        to[kMatch * kStripes + r] = whole_match(g, q, r);
        to[kDelete * kStripes + r] = this->deletes()[q * kWidth + g * kStripes + r] * factors_[g];
        to[kInsert * kStripes + r] = this->match_insert()[insert_at(q) + g * kStripes + r] * factors_[g];
      }
    }
  }
  float whole_match(std::size_t g, std::size_t q, std::size_t r) const {
    const float* const deletes = this->deletes() + g * kStripes;
    const float after = q + 1 < steps_     ? deletes[(q + 1) * kWidth + r]
                        : r + 1 < kStripes ? deletes[r + 1]
                                           : 0;
    const float m = this->match_insert()[match_at(q) + g * kStripes + r] + ends_[g];
    return (m + after * transition(q, kMatchToDelete, r)) * factors_[g];
  }

  // Keeps the row; behind row 1 the group takes its next task.
  void keep(std::size_t g) {
    store(g);
    if (--at_[g] > 0) return;
    first_row(g);
    begin(g);
  }

  // The products of row 1.
  void multiply_first_row() {
    const bool forward_scaled = prepare_row(1, true);
    const auto multiply_all = [this]<bool kForwardScaled>() {
      Vector after = Lanes::down(deletion(0));
      for (std::size_t q = steps_; q-- > 0;) {
        multiply_cells<kForwardScaled>(kept_->row(1), q, whole_match<true>(q, after), whole_insert<true>(q));
        after = deletion(q);
      }
    };
    forward_scaled ? multiply_all.template operator()<true>() : multiply_all.template operator()<false>();
  }

  // Row 0 of one group, lane by lane.
  void first_row(std::size_t g) {
    const float* const of_residue = model_.emissions(tasks_[g]->sequence[0]);
    std::array<float, kStripes> sum{};
    for (std::size_t q = 0; q < steps_; ++q) {
      for (std::size_t r = 0; r < kStripes; ++r) {
        sum[r] =
            sum[r] + (whole_match(g, q, r) * of_residue[q * kStripes + r]) * transition(q, kIntoFromBegin, r);
      }
    }
    const float begin = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    tasks_[g]->backward[0] = {0, begin * lengths_[g].move + row_[g].n * lengths_[g].loop, 0, begin, 0, 1};
  }

  SharedRows* const kept_;
  bool falling_ = true;  // no path of deletes grows
  Scalars ends_{};       // E of the row at hand, before it is divided
  Vector end_ = Lanes::zero(), factor_ = Lanes::zero(), forward_factor_ = Lanes::zero();
};

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
