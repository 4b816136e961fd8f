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

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
