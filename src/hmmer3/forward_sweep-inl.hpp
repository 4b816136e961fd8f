// Forward: row after row from the first residue on (docs/spec/hmmer3/forward-backward.md, 2).
#if defined(GPUHMM_HMMER3_FORWARD_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_HMMER3_FORWARD_SWEEP_INL
#undef GPUHMM_HMMER3_FORWARD_SWEEP_INL
#else
#define GPUHMM_HMMER3_FORWARD_SWEEP_INL
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

/// Forward (forward-backward.md, 2).
template <class Lanes>
class ForwardSweep : StripedSweep<Lanes> {
  using Base = StripedSweep<Lanes>;
  using Base::kGroups, Base::kWidth, typename Base::Vector, typename Base::Scalars;
  using Base::match_at, Base::insert_at, Base::factors_, Base::scaled_, typename Base::Parameters;
  using Base::model_, Base::tasks_, Base::steps_, Base::lengths_, Base::at_, Base::row_;

 public:
  /// `kept`, if there is one: keeps the cells of all rows, for as many tasks as there are groups at most.
  ForwardSweep(const FloatModel& model, std::span<SequenceTask* const> tasks, SharedRows* kept = nullptr)
      : Base(model, tasks), kept_(kept) {
    for (std::size_t g = 0; g < kGroups; ++g) begin(g);
  }

  void run() {
    before_ = now_ = kept_ != nullptr ? kept_->row(0) : this->match_insert();
    const bool keeps_deletes = kept_ != nullptr && kept_->with_deletes();
    deletes_before_ = deletes_ = keeps_deletes ? kept_->deletes(0) : this->deletes();
    for (std::size_t i = 1; !this->idle(); ++i) {
      if (kept_ != nullptr) now_ = kept_->row(i);
      if (keeps_deletes) deletes_ = kept_->deletes(i);
      scaled_ ? match_and_insert<true>() : match_and_insert<false>();
      delete_to_delete();
      specials();
      scale();
      for (std::size_t g = 0; g < kGroups; ++g) {
        if (tasks_[g] != nullptr) keep(g);
      }
      before_ = now_;
      deletes_before_ = deletes_;
    }
  }

 private:
  // Row 0.
  void begin(std::size_t g) {
    if (kept_ == nullptr) this->clear_group(g);
    if (!this->take_task(g)) return;
    SequenceTask& task = *tasks_[g];
    at_[g] = 1;
    total_[g] = 0;
    row_[g] = {0, 1, 0, lengths_[g].move, 0, 1};
    task.forward.resize(task.sequence.size() + 1);
    task.forward[0] = row_[g];
    if (task.forward_cells == nullptr) return;
    task.forward_cells->resize(task.sequence.size(), steps_);
    std::fill_n(task.forward_cells->row(0), task.forward_cells->row_size(), 0.0F);
  }

  // The cells of a row that are at hand: those of the last row, multiplied by what they were to be.
  template <bool kScaled>
  static HWY_INLINE Vector old(const float* cells, const Vector& factor) {
    const Vector v = Lanes::load(cells);
    if constexpr (kScaled) return Lanes::multiply(v, factor);
    return v;
  }
  // The sum of all ways into M, without the emission.
  static HWY_INLINE Vector into_match(const Parameters& p, std::size_t q, const Vector& begin,
                                      const Vector& match, const Vector& insert, const Vector& deletion) {
    Vector s = Lanes::multiply(begin, p.transition(q, kIntoFromBegin));
    s = Lanes::add(s, Lanes::multiply(match, p.transition(q, kIntoFromMatch)));
    s = Lanes::add(s, Lanes::multiply(insert, p.transition(q, kIntoFromInsert)));
    return Lanes::add(s, Lanes::multiply(deletion, p.transition(q, kIntoFromDelete)));
  }

  // Steps 1 and 2: all M and I, and D without what comes over stripe borders. M of the last step, which
  // enters D of the next stripe, is computed twice.
  template <bool kScaled>
  void match_and_insert() {
    Scalars begins;
    for (std::size_t g = 0; g < kGroups; ++g) {
      this->set_emissions(g, tasks_[g] != nullptr, at_[g] - 1);
      begins[g] = row_[g].b;
    }
    const Parameters p = this->parameters();
    const Vector begin = Lanes::set(begins), factor = Lanes::set(factors_);
    const float *const before = before_, *const deletes_before = deletes_before_;
    float *const now = now_, *const deletes = deletes_;
    const std::size_t steps = steps_, last = steps - 1, other = steps - 2;
    const auto old_match = [&](std::size_t q) HWY_ATTR { return old<kScaled>(before + match_at(q), factor); };
    const auto old_insert = [&](std::size_t q)
                                HWY_ATTR { return old<kScaled>(before + insert_at(q), factor); };
    const auto old_delete = [&](std::size_t q)
                                HWY_ATTR { return old<kScaled>(deletes_before + q * kWidth, factor); };
    Vector path = into_match(p, last, begin, old_match(other), old_insert(other), old_delete(other));
    path = Lanes::up(
        Lanes::multiply(Lanes::multiply(path, p.emission(last)), p.transition(last, kMatchToDelete)));
    Vector match = Lanes::up(old_match(last)), insert = Lanes::up(old_insert(last));
    Vector deletion = Lanes::up(old_delete(last));
    Vector sum = Lanes::zero(), from_match = Lanes::zero();
    for (std::size_t q = 0; q < steps; ++q) {
      const Vector s = Lanes::multiply(into_match(p, q, begin, match, insert, deletion), p.emission(q));
      sum = Lanes::add(sum, s);
      match = old_match(q);
      insert = old_insert(q);
      deletion = old_delete(q);
      Lanes::store(s, now + match_at(q));
      Lanes::store(Lanes::add(Lanes::multiply(match, p.transition(q, kMatchToInsert)),
                              Lanes::multiply(insert, p.transition(q, kInsertToInsert))),
                   now + insert_at(q));
      const Vector d = Lanes::add(path, from_match);
      Lanes::store(d, deletes + q * kWidth);
      path = Lanes::multiply(d, p.transition(q, kDeleteToDelete));
      from_match = Lanes::multiply(s, p.transition(q, kMatchToDelete));
    }
    sum_ = sum;
    path_ = path;
  }

  // The passes over stripe borders; adds D to the sum of the row. The passes end where the path is at most
  // 2^-26 of D: it then changes no D from there on, also not in the next stripe (proof: NEGLIGIBLE in
  // cl/hmmer3_sweeps.cl; its factor of 2 is enough for millions of nodes).
  void delete_to_delete() {
    constexpr int kStopsEarly = 100;  // nodes
    constexpr float kNegligible = 1.0F / (1U << 26U);
    constexpr std::size_t kBetweenTests = 8;
    const bool stops_early = model_.nodes() >= kStopsEarly;
    const Parameters p = this->parameters();
    const std::size_t steps = steps_;
    float* const deletes = deletes_;
    const Vector matches = sum_, negligible = Lanes::fill(kNegligible);
    Vector path = path_;
    for (int pass = 0; pass < 3; ++pass) {
      path = Lanes::up(path);
      auto changed = Lanes::no_lanes();
      Vector ends = matches;
      bool matters = true;
      std::size_t q = 0;
      while (q < steps && matters) {
        Vector added = path, sum = path;
        for (const std::size_t end = std::min(q + kBetweenTests, steps); q < end; ++q) {
          const Vector before = Lanes::load(deletes + q * kWidth);
          added = path;
          sum = Lanes::add(path, before);
          changed = Lanes::or_greater(changed, sum, before);
          Lanes::store(sum, deletes + q * kWidth);
          ends = Lanes::add(sum, ends);
          path = Lanes::multiply(path, p.transition(q, kDeleteToDelete));
        }
        if constexpr (Lanes::kEndsPassesEarly)
          matters = Lanes::any(Lanes::greater(added, Lanes::multiply(sum, negligible)));
      }
      for (; q < steps; ++q) ends = Lanes::add(Lanes::load(deletes + q * kWidth), ends);
      sum_ = ends;
      if (!matters) return;
      if (!stops_early) continue;
      // A group in which nothing has changed stops: from here on nothing is added.
      if (!Lanes::any(changed)) return;
      path = Lanes::zero_unless_any(changed, path);
    }
  }

  // Step 3.
  void specials() {
    const Scalars ends = Lanes::sums(sum_);
    for (std::size_t g = 0; g < kGroups; ++g) {
      SpecialRow& row = row_[g];
      row.e = ends[g];
      row.n = row.n * lengths_[g].loop;
      row.c = row.c * lengths_[g].loop + row.e * lengths_[g].end_to_c;
      row.j = row.j * lengths_[g].loop + row.e * lengths_[g].end_to_j;
      row.b = row.j * lengths_[g].move + row.n * lengths_[g].move;
    }
  }

  // Step 4, except for the cells: these are multiplied when they are read.
  void scale() {
    constexpr double kTooLarge = 1.0e4;
    factors_.fill(1);
    scaled_ = false;
    for (std::size_t g = 0; g < kGroups; ++g) {
      SpecialRow& row = row_[g];
      row.scale = 1;
      if (!(static_cast<double>(row.e) > kTooLarge)) continue;
      scaled_ = true;
      for (float* const value : {&row.n, &row.c, &row.j, &row.b}) *value = *value / row.e;
      factors_[g] = static_cast<float>(1.0 / static_cast<double>(row.e));
      row.scale = row.e;
      total_[g] = with_scale(total_[g], row.e);
      row.e = 1;
    }
  }

  // Keeps the row; behind the last one the group takes its next task.
  void keep(std::size_t g) {
    SequenceTask& task = *tasks_[g];
    task.forward[at_[g]] = row_[g];
    if (task.forward_cells != nullptr) keep_cells(task.forward_cells->row(at_[g]), g);
    if (at_[g]++ < task.sequence.size()) return;
    const float c = row_[g].c;
    if (std::isnan(c)) throw ImpossibleComparison("forward score is NaN");
    if (c == 0.0F) throw ImpossibleComparison("forward score underflow (is 0.0)");
    if (std::isinf(c)) throw ImpossibleComparison("forward score overflow (is infinity)");
    task.forward_score = forward_score(total_[g], c, lengths_[g].move);
    begin(g);
  }

  // Copies a group's cells to a row of its matrix.
  void keep_cells(float* to, std::size_t g) const {
    const float factor = factors_[g];
    const auto copy = [&](const float* from, float* cells) {
      for (std::size_t r = 0; r < kStripes; ++r) cells[r] = from[g * kStripes + r] * factor;
    };
    for (std::size_t q = 0; q < steps_; ++q, to += kCellStates * kStripes) {
      copy(now_ + match_at(q), to + kMatch * kStripes);
      copy(deletes_ + q * kWidth, to + kDelete * kStripes);
      copy(now_ + insert_at(q), to + kInsert * kStripes);
    }
  }

  SharedRows* const kept_;
  const float* before_ = nullptr;  // M and I of the last row, and of this one: in place or in kept rows
  float* now_ = nullptr;
  const float* deletes_before_ = nullptr;  // the same of D
  float* deletes_ = nullptr;
  Scalars total_{};              // logarithm of all scale factors
  Vector sum_ = Lanes::zero();   // of M, then of M and D over the row
  Vector path_ = Lanes::zero();  // what leaves the stripes
};

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
