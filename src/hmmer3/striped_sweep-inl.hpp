// What Forward and Backward have in common, for vectors of any width that is a multiple of four: each group
// of four lanes has a sequence of its own and does, operation by operation, what one group would do.
//
// `Lanes` has the vector type and its operations (plain_lanes.hpp is the plainest). Scalars of the groups are
// in arrays of Lanes::kGroups.
#if defined(GPUHMM_HMMER3_STRIPED_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_HMMER3_STRIPED_SWEEP_INL
#undef GPUHMM_HMMER3_STRIPED_SWEEP_INL
#else
#define GPUHMM_HMMER3_STRIPED_SWEEP_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
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
      : model_(model),
        waiting_(tasks),
        steps_(model.steps()),
        match_insert_(steps_ * 2 * kWidth, 0.0F),
        deletes_(steps_ * kWidth, 0.0F),
        nothing_(steps_ * kStripes, 0.0F) {
    emissions_.fill(nothing_.data());
    factors_.fill(1);
  }

  // Gives the group the next task; false if there is none.
  bool take_task(std::size_t g) {
    tasks_[g] = nullptr;
    row_[g] = {};
    factors_[g] = 1;
    lengths_[g] = {};
    if (waiting_.empty()) return false;
    tasks_[g] = waiting_.front();
    waiting_ = waiting_.subspan(1);
    lengths_[g] = tasks_[g]->lengths;
    return true;
  }
  // Zeros in the group's lanes of a buffer of vectors.
  static void clear_group(float* cells, std::size_t vectors, std::size_t g) {
    for (std::size_t v = 0; v < vectors; ++v) std::fill_n(cells + v * kWidth + g * kStripes, kStripes, 0.0F);
  }
  void clear_group(std::size_t g) {
    clear_group(match_insert_.data(), 2 * steps_, g);
    clear_group(deletes_.data(), steps_, g);
  }
  bool idle() const {
    return std::all_of(tasks_.begin(), tasks_.end(),
                       [](const SequenceTask* task) { return task == nullptr; });
  }

  // The emissions of a residue, or zeros for an idle group.
  void set_emissions(std::size_t g, bool active, std::size_t residue) {
    emissions_[g] = active ? model_.emissions(tasks_[g]->sequence[residue]) : nothing_.data();
  }
  // The parameters of a row. Loops have a copy of their own: a pointer that can be reached from elsewhere
  // would be loaded again after every vector that is stored.
  struct Parameters {
    const float* transitions;
    std::array<const float*, kGroups> emissions;

    HWY_INLINE Vector transition(std::size_t q, Step step) const {
      return Lanes::load_same(transitions + (q * kSteps + step) * kStripes);
    }
    HWY_INLINE Vector emission(std::size_t q) const { return Lanes::load_each(emissions, q * kStripes); }
  };
  Parameters parameters() const { return {model_.transitions(), emissions_}; }
  float transition(std::size_t q, Step step, std::size_t r) const {
    return model_.transitions()[(q * kSteps + step) * kStripes + r];
  }

  // Places in a row of M and I, and in the row of D.
  static constexpr std::size_t match_at(std::size_t q) { return 2 * q * kWidth; }
  static constexpr std::size_t insert_at(std::size_t q) { return (2 * q + 1) * kWidth; }
  float* match_insert() { return match_insert_.data(); }
  float* deletes() { return deletes_.data(); }
  const float* match_insert() const { return match_insert_.data(); }
  const float* deletes() const { return deletes_.data(); }

  const FloatModel& model_;
  std::array<SequenceTask*, kGroups> tasks_{};  // null: idle
  std::array<LengthModel, kGroups> lengths_{};
  std::array<std::size_t, kGroups> at_{};  // the row that is computed next
  std::array<SpecialRow, kGroups> row_{};
  // What the cells of the last row are yet to be multiplied by, and whether that is not 1 for all.
  Scalars factors_{};
  bool scaled_ = false;

 private:
  std::span<SequenceTask* const> waiting_;

 protected:
  std::size_t steps_;

 private:
  simd::AlignedBuffer<float> match_insert_, deletes_;
  simd::AlignedBuffer<float> nothing_;  // emissions of an idle group
  std::array<const float*, kGroups> emissions_{};
};

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
