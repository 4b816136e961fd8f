// Posterior decoding, null2 sums and the alignment of optimal accuracy of envelopes side by side, as far as
// they are wanted, in one pass over the products of Forward's and Backward's cells
// (docs/spec/hmmer3/domains.md, 8 to 10).
//
// The matrix of accuracies is not kept: for each cell, bits say which state before it the traceback goes to.
// Additions have the reference's order; maxima have none. D of a row is complete when the next row reads it:
// until then it lacks paths over stripe borders, which are one value a stripe.
#if defined(GPUHMM_HMMER3_ACCURACY_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_HMMER3_ACCURACY_SWEEP_INL
#undef GPUHMM_HMMER3_ACCURACY_SWEEP_INL
#else
#define GPUHMM_HMMER3_ACCURACY_SWEEP_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

#include "hmmer3/envelope_task.hpp"
#include "hmmer3/striped_sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

template <class Lanes>
class AccuracySweep {
  static constexpr std::size_t kGroups = Lanes::kGroups, kWidth = kGroups * kStripes;
  static constexpr float kImpossible = -std::numeric_limits<float>::infinity();
  using Vector = typename Lanes::Vector;
  using Mask = typename Lanes::Mask;
  using Scalars = std::array<float, kGroups>;
  // What is known of a cell: whether M comes from I rather than M, from D rather than these, from B rather
  // than these, I from I rather than M, and D of the next node from D rather than M.
  enum Choice : std::size_t {
    kInsertToMatch,
    kDeleteToMatch,
    kBeginToMatch,
    kStaysInsert,
    kStaysDelete,
    kChoices
  };

 public:
  /// `tasks`: after Forward and Backward, with Forward's scales only; as many as there are groups at most.
  /// An alignment or null2 odds are wanted of one at least. `products` has memory for the choices, too.
  AccuracySweep(const FloatModel& model, std::span<EnvelopeTask> tasks, SharedRows& products)
      : model_(model),
        tasks_(tasks),
        products_(products),
        steps_(model.steps()),
        cells_(steps_ * 3 * kWidth, kImpossible),
        weights_(steps_ * 2 * kWidth, 0.0F),
        choices_(products.choices()) {
    for (const EnvelopeTask& task : tasks_) {
      length_ = std::max(length_, task.sequence.size());
      composes_ = composes_ || task.wants_null2;
      aligns_ = aligns_ || task.wants_alignment();
    }
    factors_.resize((length_ + 2) * kGroups);
    if (!aligns_) return;
    choices_.reserve((length_ + 2) * choice_row_size());
    find_impossible();
  }

  void run() {
    for (std::size_t g = 0; g < tasks_.size(); ++g) begin(g);
    for (std::size_t i = 1; i <= length_; ++i) {
      decode(i);
      if (!aligns_) {
        sum_posteriors(i);
        continue;
      }
      composes_ ? fill<true>(i) : fill<false>(i);
      for (std::size_t g = 0; g < tasks_.size(); ++g) {
        if (i <= tasks_[g].sequence.size()) finish_row(g, i);
      }
    }
    if (composes_) compose();
    if (!aligns_) return;
    decoded_factors_.fill(0);
    fill<false>(length_ + 1);  // completes D of the last row
    for (std::size_t g = 0; g < tasks_.size(); ++g) {
      tasks_[g].alignment.accuracy = groups_[g].row.c;
      trace(g);
      tasks_[g].alignment.reduce(tasks_[g].wanted);
    }
  }

 private:
  // The state of one envelope.
  struct Group {
    float scale = 0;                  // 1 / N of Backward's row 0
    SpecialRow row;                   // accuracies of the states outside of nodes
    OutsidePosterior posterior, sum;  // of the row, and of all rows
    std::size_t end_row = 0;          // where the alignment ends
    int end_node = 0;
  };

  std::size_t choice_row_size() const { return steps_ * kChoices * Lanes::kBitBytes; }
  std::uint8_t* choice(std::size_t i, std::size_t q, Choice which) {
    return choices_.data() + i * choice_row_size() + (q * kChoices + which) * Lanes::kBitBytes;
  }
  float* cell(std::size_t q, CellState state) { return cells_.data() + (3 * q + state) * kWidth; }
  Vector transition(std::size_t q, Step step) const {
    return Lanes::load_same(model_.transitions() + (q * kSteps + step) * kStripes);
  }
  // A step that is impossible contributes 0 while cells are computed, and is not taken.
  static float through(float probability, float value) { return probability > 0 ? value : 0.0F; }
  static float possible(float probability, float value) { return probability > 0 ? value : kImpossible; }

  // Where transitions are impossible, and which stripes a path of deletes can pass.
  void find_impossible() {
    std::array<float, kStripes> passes{1, 1, 1, 1}, reaches{1, 1, 1, 1};
    all_possible_.assign(steps_, true);
    for (std::size_t q = 0; q < steps_; ++q) {
      const float* const of_step = model_.transitions() + q * kSteps * kStripes;
      all_possible_[q] = std::all_of(of_step, of_step + kSteps * kStripes, [](float p) { return p > 0; });
      reaches = passes;
      for (std::size_t r = 0; r < kStripes; ++r) {
        if (!(of_step[kDeleteToDelete * kStripes + r] > 0)) passes[r] = 0;
      }
    }
    passes_ = Lanes::load_same(passes.data());
    reaches_last_ = Lanes::load_same(reaches.data());
  }

  void begin(std::size_t g) {
    const EnvelopeTask& task = tasks_[g];
    groups_[g].scale = static_cast<float>(1.0 / static_cast<double>(task.backward[0].n));
    groups_[g].row = {kImpossible, 0, kImpossible, 0, kImpossible, 1};
  }

  // Posteriors of row i outside of nodes, and the factors that make posteriors of products.
  void decode(std::size_t i) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      decoded_factors_[g] = 0;
      if (g < tasks_.size() && i <= tasks_[g].sequence.size()) {
        const EnvelopeTask& task = tasks_[g];
        Group& group = groups_[g];
        const SpecialRow &f = task.forward[i - 1], &b = task.backward[i];
        const float loop = task.lengths.loop;
        decoded_factors_[g] = group.scale * task.forward[i].scale;
        group.posterior = {f.n * b.n * loop * group.scale, f.j * b.j * loop * group.scale,
                           f.c * b.c * loop * group.scale};
        group.sum = {group.sum.n + group.posterior.n, group.sum.j + group.posterior.j,
                     group.sum.c + group.posterior.c};
      }
      factors_[i * kGroups + g] = decoded_factors_[g];
    }
  }

  // The nodes of row i, for null2 only.
  void sum_posteriors(std::size_t i) {
    const float* const products = products_.row(i);
    const Vector factor = Lanes::set(decoded_factors_);
    for (std::size_t vector = 0; vector < 2 * steps_; ++vector) posterior<true>(products, vector, factor);
  }

  // The nodes of row i; completes D of the row before.
  template <bool kComposes>
  void fill(std::size_t i) {
    const float* const products = products_.row(std::min(i, length_));
    const Vector factor = Lanes::set(decoded_factors_), impossible = Lanes::fill(kImpossible);
    const Vector one = Lanes::fill(1), zero = Lanes::zero();
    Scalars begins{};
    for (std::size_t g = 0; g < kGroups; ++g) begins[g] = groups_[g].row.b;
    const Vector begin = Lanes::set(begins);
    const std::size_t last = steps_ - 1;
    Vector entering = entering_;
    Vector match = Lanes::up_from_impossible(Lanes::load(cell(last, kMatch)));
    Vector insert = Lanes::up_from_impossible(Lanes::load(cell(last, kInsert)));
    Vector deletion = Lanes::up_from_impossible(
        Lanes::maximum(Lanes::load(cell(last, kDelete)),
                       Lanes::choose(Lanes::greater(reaches_last_, zero), entering, impossible)));
    Vector path = impossible, most = impossible, place = zero, here = zero;
    for (std::size_t q = 0; q < steps_; ++q, here = Lanes::add(here, one)) {
      const Vector match_posterior = posterior<kComposes>(products, 2 * q, factor);
      const Vector insert_posterior = posterior<kComposes>(products, 2 * q + 1, factor);
      const Vector old_match = Lanes::load(cell(q, kMatch)), old_insert = Lanes::load(cell(q, kInsert));
      const Vector old_delete = Lanes::maximum(Lanes::load(cell(q, kDelete)), entering);
      std::uint8_t* const chosen = choice(i, q, kInsertToMatch);
      std::uint8_t* const chosen_before = choice(i - 1, q, kStaysDelete);
      const auto keep = [&](Choice which, const Vector& a, const Vector& b) {
        Lanes::store_bits(Lanes::greater(a, b), chosen + which * Lanes::kBitBytes);
      };
      Vector best = zero, kept = zero;
      Lanes::store(path, cell(q, kDelete));
      if (all_possible_[q]) {
        keep(kInsertToMatch, insert, match);
        best = Lanes::maximum(match, insert);
        keep(kDeleteToMatch, deletion, best);
        best = Lanes::maximum(best, deletion);
        keep(kBeginToMatch, begin, best);
        best = Lanes::maximum(best, begin);
        keep(kStaysInsert, old_insert, old_match);
        kept = Lanes::maximum(old_insert, old_match);
        Lanes::store_bits(Lanes::greater(old_delete, old_match), chosen_before);
        best = Lanes::add(best, match_posterior);
        path = Lanes::maximum(best, path);
      } else {
        const auto is_possible = [&](Step step) { return Lanes::greater(transition(q, step), zero); };
        const auto if_possible = [&](Step step, const Vector& v) {
          return Lanes::choose(is_possible(step), v, impossible);
        };
        const auto or_zero = [&](Step step, const Vector& v) {
          return Lanes::choose(is_possible(step), v, zero);
        };
        const Vector from_match = if_possible(kIntoFromMatch, match);
        const Vector from_insert = if_possible(kIntoFromInsert, insert);
        const Vector from_delete = if_possible(kIntoFromDelete, deletion);
        keep(kInsertToMatch, from_insert, from_match);
        best = Lanes::maximum(from_match, from_insert);
        keep(kDeleteToMatch, from_delete, best);
        best = Lanes::maximum(best, from_delete);
        keep(kBeginToMatch, if_possible(kIntoFromBegin, begin), best);
        best = Lanes::maximum(
            Lanes::maximum(or_zero(kIntoFromMatch, match), or_zero(kIntoFromInsert, insert)),
            Lanes::maximum(or_zero(kIntoFromDelete, deletion), or_zero(kIntoFromBegin, begin)));
        keep(kStaysInsert, if_possible(kInsertToInsert, old_insert), if_possible(kMatchToInsert, old_match));
        kept = Lanes::maximum(or_zero(kInsertToInsert, old_insert), or_zero(kMatchToInsert, old_match));
        Lanes::store_bits(
            Lanes::greater(if_possible(kDeleteToDelete, old_delete), if_possible(kMatchToDelete, old_match)),
            chosen_before);
        entering = if_possible(kDeleteToDelete, entering);
        best = Lanes::add(best, match_posterior);
        path = Lanes::maximum(or_zero(kMatchToDelete, best), or_zero(kDeleteToDelete, path));
      }
      Lanes::store(best, cell(q, kMatch));
      Lanes::store(Lanes::add(kept, insert_posterior), cell(q, kInsert));
      place = Lanes::choose(Lanes::greater(most, best), place, here);
      most = Lanes::maximum(most, best);
      match = old_match;
      insert = old_insert;
      deletion = old_delete;
    }
    Vector leaving = path;
    for (std::size_t border = 2; border < kStripes; ++border) {
      const Vector passing =
          Lanes::choose(Lanes::greater(passes_, zero), Lanes::up_from_impossible(leaving), impossible);
      leaving = Lanes::maximum(path, passing);
    }
    entering_ = Lanes::up_from_impossible(leaving);
    Lanes::store(most, most_.data());
    Lanes::store(place, place_.data());
  }

  // A vector of posteriors; adds them to the sums over all rows.
  template <bool kComposes>
  HWY_INLINE Vector posterior(const float* products, std::size_t vector, const Vector& factor) {
    const Vector p = Lanes::multiply(Lanes::load(products + vector * kWidth), factor);
    if constexpr (kComposes) {
      float* const weight = weights_.data() + vector * kWidth;
      Lanes::store(Lanes::add(p, Lanes::load(weight)), weight);
    }
    return p;
  }

  // The states outside of nodes. No D is above all M, since an M is 0 at least.
  void finish_row(std::size_t g, std::size_t i) {
    const LengthModel& lengths = tasks_[g].lengths;
    Group& group = groups_[g];
    SpecialRow& row = group.row;
    const float* const most = most_.data() + g * kStripes;
    const float* const place = place_.data() + g * kStripes;
    row.e = std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
    const float stays = row.c + group.posterior.c;
    if (!(possible(lengths.loop, stays) > possible(lengths.end_to_c, row.e))) {
      // So far the alignment ends here, in the last of the largest cells in stripe order.
      float last = -1;
      for (std::size_t r = 0; r < kStripes; ++r) {
        if (most[r] != row.e || place[r] < last) continue;
        last = place[r];
        group.end_node = static_cast<int>(r * steps_ + static_cast<std::size_t>(last)) + 1;
      }
      group.end_row = i;
    }
    row.j = std::max(through(lengths.loop, row.j + group.posterior.j), through(lengths.end_to_j, row.e));
    row.c = std::max(through(lengths.loop, stays), through(lengths.end_to_c, row.e));
    row.n = through(lengths.loop, row.n + group.posterior.n);
    row.b = std::max(through(lengths.move, row.n), through(lengths.move, row.j));
  }

  // null2 odds of plain residues by expectation.
  void compose() {
    constexpr std::size_t kTogether = 4;  // residues: divides 20 and 4
    Scalars shares{};
    for (std::size_t g = 0; g < tasks_.size(); ++g) {
      shares[g] = 1.0F / static_cast<float>(tasks_[g].sequence.size());
      const OutsidePosterior& sum = groups_[g].sum;
      tasks_[g].outside_share = (sum.n * shares[g] + sum.c * shares[g]) + sum.j * shares[g];
    }
    const Vector share = Lanes::set(shares);
    for (std::size_t at = 0; at < steps_ * 2 * kWidth; at += kWidth) {
      Lanes::store(Lanes::multiply(Lanes::load(weights_.data() + at), share), weights_.data() + at);
    }
    const std::size_t residues = tasks_.front().odds.size(), row = steps_ * kStripes;
    for (std::size_t x = 0; x < residues; x += kTogether) {
      const Vector zero = Lanes::zero();
      Vector sums[] = {zero, zero, zero, zero};
      static_assert(std::size(sums) == kTogether);
      const float* const emissions = model_.emissions(x);
      for (std::size_t q = 0; q < steps_; ++q) {
        const Vector match = Lanes::load(weights_.data() + 2 * q * kWidth);
        const Vector insert = Lanes::load(weights_.data() + (2 * q + 1) * kWidth);
        for (std::size_t y = 0; y < kTogether; ++y) {
          const Vector emission = Lanes::load_same(emissions + y * row + q * kStripes);
          sums[y] = Lanes::add(Lanes::add(sums[y], Lanes::multiply(match, emission)), insert);
        }
      }
      for (std::size_t y = 0; y < kTogether; ++y) {
        const Scalars odds = Lanes::sums(sums[y]);
        for (std::size_t g = 0; g < tasks_.size(); ++g) tasks_[g].odds[x + y] = odds[g];
      }
    }
  }

  bool chosen(std::size_t g, std::size_t i, int k, Choice which) {
    return Lanes::bit(choice(i, model_.step_of(k), which), g, model_.stripe_of(k));
  }
  float posterior_of(std::size_t g, std::size_t i, CellState state, int k) const {
    const std::size_t vector = 2 * model_.step_of(k) + (state == kMatch ? 0 : 1);
    return products_.row(i)[vector * kWidth + g * kStripes + model_.stripe_of(k)] * factors_[i * kGroups + g];
  }

  void trace(std::size_t g) {
    std::vector<AlignedColumn>& columns = tasks_[g].alignment.columns;
    columns.clear();
    CellState state = kMatch;
    std::size_t i = groups_[g].end_row;
    for (int k = groups_[g].end_node; i > 0 && k > 0;) {
      if (state == kDelete) {
        columns.push_back({state, k, 0, 0});
        --k;
        state = k > 0 && chosen(g, i, k, kStaysDelete) ? kDelete : kMatch;
        continue;
      }
      columns.push_back({state, k, i, posterior_of(g, i, state, k)});
      if (state == kInsert) {
        state = chosen(g, i, k, kStaysInsert) ? kInsert : kMatch;
      } else {
        if (chosen(g, i, k, kBeginToMatch)) break;
        state = chosen(g, i, k, kDeleteToMatch)   ? kDelete
                : chosen(g, i, k, kInsertToMatch) ? kInsert
                                                  : kMatch;
        --k;
      }
      --i;
    }
    keep_matches(columns);
  }

  const FloatModel& model_;
  std::span<EnvelopeTask> tasks_;
  const SharedRows& products_;
  std::size_t steps_, length_ = 0;
  bool composes_ = false, aligns_ = false;
  simd::AlignedBuffer<float> cells_;    // of the row: [step][CellState][group][stripe]; D lacks `entering_`
  simd::AlignedBuffer<float> weights_;  // sums of posteriors: [step][M, I][group][stripe]
  simd::AlignedBuffer<std::uint8_t>& choices_;                    // [row][step][Choice] bits
  std::vector<float> factors_;                                    // [row][group]
  std::vector<std::uint8_t> all_possible_;                        // by step
  Vector passes_ = Lanes::zero(), reaches_last_ = Lanes::zero();  // not 0: a path of deletes comes through
  Vector entering_ = Lanes::fill(kImpossible);                    // what D of the row's stripes begins with
  Scalars decoded_factors_{};
  alignas(64) std::array<float, kWidth> most_{}, place_{};  // the largest M of each stripe and its last step
  std::array<Group, kGroups> groups_{};
};

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
