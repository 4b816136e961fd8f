// Rows of the matrix of optimal accuracy in vectors of four lanes. Sums and maxima are exact in any order.
#include "hmmer3/accuracy_row.hpp"

#include <algorithm>
#include <limits>

#include "hmmer3/striped_matrix.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/accuracy_row.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

float accuracy_row(const FloatModel& model, float begin, const float* before, const float* posteriors,
                   float* row) {
  constexpr float kImpossible = -std::numeric_limits<float>::infinity();
  const auto through = [](float probability, float value) { return probability > 0 ? value : 0.0F; };
  float end = kImpossible, deletion = kImpossible;
  for (int k = 1; k <= static_cast<int>(model.steps() * kStripes); ++k) {
    const auto place = [&](int node) {
      return model.step_of(node) * kCellStates * kStripes + model.stripe_of(node);
    };
    const auto from = [&](CellState state) {
      return k == 1 ? kImpossible : before[place(k - 1) + state * kStripes];
    };
    const auto step = [&](Step which) { return model.transition(which, k); };
    const std::size_t here = place(k);
    const float best = std::max(
        {through(step(kIntoFromBegin), begin), through(step(kIntoFromMatch), from(kMatch)),
         through(step(kIntoFromInsert), from(kInsert)), through(step(kIntoFromDelete), from(kDelete))});
    const float match = best + posteriors[here + kMatch * kStripes];
    row[here + kMatch * kStripes] = match;
    row[here + kInsert * kStripes] =
        std::max(through(step(kMatchToInsert), before[here + kMatch * kStripes]),
                 through(step(kInsertToInsert), before[here + kInsert * kStripes])) +
        posteriors[here + kInsert * kStripes];
    row[here + kDelete * kStripes] = deletion;
    end = std::max({end, match, deletion});
    deletion = std::max(through(step(kMatchToDelete), match), through(step(kDeleteToDelete), deletion));
  }
  return end;
}

#else

constexpr hn::FixedTag<float, kStripes> kLanes;
using Four = hn::Vec<decltype(kLanes)>;

HWY_INLINE Four through(Four probability, Four value) {
  return hn::IfThenElseZero(hn::Gt(probability, hn::Zero(kLanes)), value);
}

// Each lane to the next one; -infinity comes into the first.
HWY_INLINE Four up(Four v, Four impossible) {
  return hn::IfThenElse(hn::FirstN(kLanes, 1), impossible, hn::ShiftLeftLanes<1>(kLanes, v));
}

float accuracy_row(const FloatModel& model, float begin, const float* before, const float* posteriors,
                   float* row) {
  const std::size_t steps = model.steps();
  const Four impossible = hn::Set(kLanes, -std::numeric_limits<float>::infinity());
  const auto transition = [&](std::size_t q, Step step) {
    return hn::Load(kLanes, model.transitions() + (q * kSteps + step) * kStripes);
  };
  const auto cell = [](const float* cells, std::size_t q, CellState state) {
    return hn::LoadU(kLanes, cells + (q * kCellStates + state) * kStripes);
  };
  const auto set_cell = [&](std::size_t q, CellState state, Four value) {
    hn::StoreU(value, kLanes, row + (q * kCellStates + state) * kStripes);
  };

  const Four from_begin = hn::Set(kLanes, begin);
  Four match = up(cell(before, steps - 1, kMatch), impossible);
  Four insert = up(cell(before, steps - 1, kInsert), impossible);
  Four deletion = up(cell(before, steps - 1, kDelete), impossible);
  Four end = impossible, path = impossible;  // path: D within the stripe
  for (std::size_t q = 0; q < steps; ++q) {
    const Four best = hn::Max(hn::Max(through(transition(q, kIntoFromBegin), from_begin),
                                      through(transition(q, kIntoFromMatch), match)),
                              hn::Max(through(transition(q, kIntoFromInsert), insert),
                                      through(transition(q, kIntoFromDelete), deletion)));
    match = cell(before, q, kMatch);
    insert = cell(before, q, kInsert);
    deletion = cell(before, q, kDelete);
    const Four here = hn::Add(best, cell(posteriors, q, kMatch));
    end = hn::Max(end, here);
    set_cell(q, kMatch, here);
    set_cell(q, kInsert,
             hn::Add(hn::Max(through(transition(q, kMatchToInsert), match),
                             through(transition(q, kInsertToInsert), insert)),
                     cell(posteriors, q, kInsert)));
    set_cell(q, kDelete, path);
    path =
        hn::Max(through(transition(q, kMatchToDelete), here), through(transition(q, kDeleteToDelete), path));
  }
  // Paths that come over stripe borders, as far as they are better.
  for (std::size_t pass = 1; pass < kStripes; ++pass) {
    Four entering = up(path, impossible);
    bool better = true;
    for (std::size_t q = 0; q < steps && better; ++q) {
      const Four known = cell(row, q, kDelete);
      better = !hn::AllFalse(kLanes, hn::Gt(entering, known));
      set_cell(q, kDelete, hn::Max(known, entering));
      entering =
          hn::IfThenElse(hn::Gt(transition(q, kDeleteToDelete), hn::Zero(kLanes)), entering, impossible);
    }
    if (!better) break;
    path = hn::Max(path, entering);
  }
  for (std::size_t q = 0; q < steps; ++q) end = hn::Max(end, cell(row, q, kDelete));
  return hn::GetLane(hn::MaxOfLanes(kLanes, end));
}

#endif

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(accuracy_row);

float fill_accuracy_row(const FloatModel& model, float begin, const float* before, const float* posteriors,
                        float* row) {
  return GPUHMM_SIMD_CALL(accuracy_row)(model, begin, before, posteriors, row);
}

}  // namespace gpuhmm::hmmer3
#endif
