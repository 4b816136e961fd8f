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
  using Base::transition, Base::match_at, Base::insert_at, Base::factors_, Base::scaled_;
  using typename Base::Parameters;

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

  // The row at hand as it is in the end.
  template <bool kScaled>
  struct Row {
    const float *cells, *deletes;
    Vector end, factor;

    // `after`: D of the next step.
    HWY_INLINE Vector match(const Parameters& p, std::size_t q, const Vector& after) const {
      const Vector m = Lanes::add(Lanes::add(Lanes::load(cells + match_at(q)), end),
                                  Lanes::multiply(after, p.transition(q, kMatchToDelete)));
      if constexpr (kScaled) return Lanes::multiply(m, factor);
      return m;
    }
    HWY_INLINE Vector insert(std::size_t q) const {
      const Vector i = Lanes::load(cells + insert_at(q));
      if constexpr (kScaled) return Lanes::multiply(i, factor);
      return i;
    }
    HWY_INLINE Vector deletion(std::size_t q) const { return Lanes::load(deletes + q * kWidth); }
  };
  template <bool kScaled>
  Row<kScaled> row_at_hand() {
    return {this->match_insert(), this->deletes(), Lanes::set(ends_), Lanes::set(factors_)};
  }

  // Multiplies Forward's cells of M or I by Backward's.
  template <bool kForwardScaled>
  static HWY_INLINE void multiply_cells(float* forward, const Vector& factor, const Vector& backward) {
    Vector f = Lanes::load(forward);
    if constexpr (kForwardScaled) f = Lanes::multiply(f, factor);
    Lanes::store(Lanes::multiply(f, backward), forward);
  }
  // What Forward's cells of row i are yet to be multiplied by. Returns whether that is not 1 for all.
  bool find_forward_factors(std::size_t i) {
    forward_factors_.fill(1);
    bool any = false;
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (tasks_[g] == nullptr) continue;
      const float scale = tasks_[g]->forward[i].scale;
      if (scale == 1.0F) continue;
      forward_factors_[g] = static_cast<float>(1.0 / static_cast<double>(scale));
      any = true;
    }
    return any;
  }

  // Row at_ of all groups. `forward`: cells of the row below, to be multiplied, if any.
  void compute_row(float* forward) {
    for (std::size_t g = 0; g < kGroups; ++g) this->set_emissions(g, tasks_[g] != nullptr, at_[g]);
    if (forward == nullptr) {
      scaled_ ? match_and_insert<true, false, false>(nullptr)
              : match_and_insert<false, false, false>(nullptr);
    } else if (find_forward_factors(at_[0] + 1)) {
      scaled_ ? match_and_insert<true, true, true>(forward) : match_and_insert<false, true, true>(forward);
    } else {
      scaled_ ? match_and_insert<true, true, false>(forward) : match_and_insert<false, true, false>(forward);
    }
    delete_to_delete();
    scale();
  }

  template <bool kScaled, bool kMultiplies, bool kForwardScaled>
  void match_and_insert(float* forward) {
    const Parameters p = this->parameters();
    const Row<kScaled> row = row_at_hand<kScaled>();
    const Vector forward_factor = Lanes::set(forward_factors_);
    float *const cells = this->match_insert(), *const deletes = this->deletes();
    Vector match = Lanes::down(Lanes::multiply(row.match(p, 0, row.deletion(1)), p.emission(0)));
    Vector into_match = Lanes::down(p.transition(0, kIntoFromMatch));
    Vector into_insert = Lanes::down(p.transition(0, kIntoFromInsert));
    Vector into_delete = Lanes::down(p.transition(0, kIntoFromDelete));
    Vector after = Lanes::down(row.deletion(0)), sum = Lanes::zero();
    for (std::size_t q = steps_; q-- > 0;) {
      const Vector insert = row.insert(q), old = row.match(p, q, after);
      after = row.deletion(q);
      if constexpr (kMultiplies) {
        multiply_cells<kForwardScaled>(forward + match_at(q), forward_factor, old);
        multiply_cells<kForwardScaled>(forward + insert_at(q), forward_factor, insert);
      }
      Lanes::store(Lanes::add(Lanes::multiply(insert, p.transition(q, kInsertToInsert)),
                              Lanes::multiply(match, into_insert)),
                   cells + insert_at(q));
      Lanes::store(Lanes::multiply(match, into_delete), deletes + q * kWidth);
      Lanes::store(Lanes::add(Lanes::multiply(insert, p.transition(q, kMatchToInsert)),
                              Lanes::multiply(match, into_match)),
                   cells + match_at(q));
      match = Lanes::multiply(old, p.emission(q));
      into_delete = p.transition(q, kIntoFromDelete);
      into_insert = p.transition(q, kIntoFromInsert);
      into_match = p.transition(q, kIntoFromMatch);
      sum = Lanes::add(sum, Lanes::multiply(match, p.transition(q, kIntoFromBegin)));
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
  }

  // Adds to D what comes from E and D. A path over a stripe border ends where it is too small to change
  // anything: D is E at least and paths never grow, so one below half of E's last digit stays without
  // effect.
  void delete_to_delete() {
    constexpr float kNegligible = 1.0F / (1U << 25U);
    constexpr std::size_t kBetweenTests = 4;
    const Parameters p = this->parameters();
    const std::size_t steps = steps_;
    const bool ends_early = Lanes::kEndsPassesEarly && falling_;
    float* const deletes = this->deletes();
    const auto deletion = [&](std::size_t q) HWY_ATTR { return Lanes::load(deletes + q * kWidth); };
    const Vector end = Lanes::set(ends_);
    Vector after = Lanes::down(Lanes::add(deletion(0), end)), path = Lanes::zero();
    for (std::size_t q = steps; q-- > 0;) {
      path = Lanes::multiply(after, p.transition(q, kDeleteToDelete));
      after = Lanes::add(deletion(q), Lanes::add(path, end));
      Lanes::store(after, deletes + q * kWidth);
    }
    const Vector negligible = Lanes::multiply(end, Lanes::fill(kNegligible));
    for (int pass = 0; pass < 3; ++pass) {
      path = Lanes::down(path);
      for (std::size_t q = steps; q-- > 0;) {
        if (ends_early && q % kBetweenTests == 0 && !Lanes::any(Lanes::greater(path, negligible))) return;
        path = Lanes::multiply(path, p.transition(q, kDeleteToDelete));
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
    find_forward_factors(1);
    const Parameters p = this->parameters();
    const Row<true> row = row_at_hand<true>();
    const Vector forward_factor = Lanes::set(forward_factors_);
    float* const forward = kept_->row(1);
    Vector after = Lanes::down(row.deletion(0));
    for (std::size_t q = steps_; q-- > 0;) {
      multiply_cells<true>(forward + match_at(q), forward_factor, row.match(p, q, after));
      multiply_cells<true>(forward + insert_at(q), forward_factor, row.insert(q));
      after = row.deletion(q);
    }
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
  Scalars forward_factors_{};
};

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
