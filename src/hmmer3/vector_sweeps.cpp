// Forward and Backward in vectors: several sequences side by side, each in a group of four lanes.
#include <algorithm>
#include <cstddef>
#include <span>

#include "hmmer3/forward_backward.hpp"
#include "hmmer3/plain_lanes.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/vector_sweeps.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "hmmer3/striped_recurrences-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
using Lanes = PlainLanes;
#else

// The operations of PlainLanes on vectors of one or two groups.
struct Lanes {
  static constexpr hn::CappedTag<float, 8> d{};
  using D = hn::CappedTag<float, 8>;
  static constexpr std::size_t kGroups = hn::MaxLanes(D()) / kStripes;
  using Vector = hn::Vec<D>;
  using Mask = hn::Mask<D>;
  using Scalars = std::array<float, kGroups>;

  static Vector zero() { return hn::Zero(d); }
  static Vector set(const Scalars& x) {
    const hn::Half<D> half;
    if constexpr (kGroups == 1) {
      return hn::Set(d, x[0]);
    } else {
      return hn::Combine(d, hn::Set(half, x[1]), hn::Set(half, x[0]));
    }
  }
  static Vector load(const float* from) { return hn::Load(d, from); }
  static Vector load_same(const float* from) { return hn::LoadDup128(d, from); }
  static Vector load_each(const float* const (&from)[kGroups]) {
    const hn::Half<D> half;
    if constexpr (kGroups == 1) {
      return hn::LoadU(d, from[0]);
    } else {
      return hn::Combine(d, hn::LoadU(half, from[1]), hn::LoadU(half, from[0]));
    }
  }
  static void store(Vector v, float* to) { hn::Store(v, d, to); }
  static Vector add(Vector a, Vector b) { return hn::Add(a, b); }
  static Vector multiply(Vector a, Vector b) { return hn::Mul(a, b); }
  static Vector up(Vector v) { return hn::ShiftLeftLanes<1>(d, v); }
  static Vector down(Vector v) { return hn::ShiftRightLanes<1>(d, v); }
  static Scalars sums(Vector v) {
    alignas(32) float lanes[kGroups * kStripes];
    hn::Store(v, d, lanes);
    Scalars sums;
    for (std::size_t g = 0; g < kGroups; ++g) {
      const float* const x = lanes + g * kStripes;
      sums[g] = (x[0] + x[1]) + (x[2] + x[3]);
    }
    return sums;
  }
  static Mask no_lanes() { return hn::MaskFromVec(zero()); }
  static Mask or_greater(Mask mask, Vector a, Vector b) { return hn::Or(mask, hn::Gt(a, b)); }
  static bool any(Mask mask) { return !hn::AllFalse(d, mask); }
  static Vector zero_unless_any(Mask mask, Vector v) {
    Vector lanes = hn::VecFromMask(d, mask);
    lanes = hn::Or(lanes, hn::Shuffle2301(lanes));
    lanes = hn::Or(lanes, hn::Shuffle1032(lanes));
    return hn::And(lanes, v);
  }
};

#endif

template <template <class> class Sweep>
void sweep(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  for (std::size_t i = 0; i < tasks.size(); i += Lanes::kGroups) {
    TaskGroup<Lanes> group{};
    for (std::size_t g = 0; g < Lanes::kGroups && i + g < tasks.size(); ++g) group[g] = tasks[i + g];
    Sweep<Lanes>(model, group).run();
  }
}

void forward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  sweep<ForwardSweep>(model, tasks);
}
void backward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  sweep<BackwardSweep>(model, tasks);
}

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(forward);
GPUHMM_SIMD_TABLE(backward);

void run_forward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  GPUHMM_SIMD_CALL(forward)(model, tasks);
}
void run_backward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  GPUHMM_SIMD_CALL(backward)(model, tasks);
}

}  // namespace gpuhmm::hmmer3
#endif
