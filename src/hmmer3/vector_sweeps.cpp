// Forward and Backward in vectors: several sequences side by side, each in a group of four lanes.
#include <algorithm>
#include <cstddef>
#include <span>

#include "hmmer3/forward_backward.hpp"
#include "hmmer3/plain_lanes.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/vector_sweeps.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "hmmer3/backward_sweep-inl.hpp"
#include "hmmer3/forward_sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
using Lanes = PlainLanes;
#else

// The operations of PlainLanes on two vectors of one or two groups each: the second one hides the latency of
// the first.
struct Lanes {
  static constexpr hn::CappedTag<float, 8> d{};
  using D = hn::CappedTag<float, 8>;
  using Half = hn::Half<D>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D()), kOfVector = kLanes / kStripes;
  static constexpr std::size_t kGroups = 2 * kOfVector;
  using One = hn::Vec<D>;
  struct Vector {
    One a, b;
  };
  struct Mask {
    hn::Mask<D> a, b;
  };
  using Scalars = std::array<float, kGroups>;

  static Vector zero() { return {hn::Zero(d), hn::Zero(d)}; }
  static Vector set(const Scalars& x) { return {set_one(x.data()), set_one(x.data() + kOfVector)}; }
  static Vector load(const float* from) { return {hn::Load(d, from), hn::Load(d, from + kLanes)}; }
  static Vector load_same(const float* from) {
    const One v = hn::LoadDup128(d, from);
    return {v, v};
  }
  static Vector load_each(const float* const (&from)[kGroups]) {
    return {load_one(from), load_one(from + kOfVector)};
  }
  static void store(const Vector& v, float* to) {
    hn::Store(v.a, d, to);
    hn::Store(v.b, d, to + kLanes);
  }
  static Vector add(const Vector& x, const Vector& y) { return {hn::Add(x.a, y.a), hn::Add(x.b, y.b)}; }
  static Vector multiply(const Vector& x, const Vector& y) { return {hn::Mul(x.a, y.a), hn::Mul(x.b, y.b)}; }
  static Vector up(const Vector& v) { return {hn::ShiftLeftLanes<1>(d, v.a), hn::ShiftLeftLanes<1>(d, v.b)}; }
  static Vector down(const Vector& v) {
    return {hn::ShiftRightLanes<1>(d, v.a), hn::ShiftRightLanes<1>(d, v.b)};
  }
  static Scalars sums(const Vector& v) {
    alignas(32) float lanes[kGroups * kStripes];
    store(v, lanes);
    Scalars sums;
    for (std::size_t g = 0; g < kGroups; ++g) {
      const float* const x = lanes + g * kStripes;
      sums[g] = (x[0] + x[1]) + (x[2] + x[3]);
    }
    return sums;
  }
  static Mask no_lanes() {
    const auto none = hn::MaskFromVec(hn::Zero(d));
    return {none, none};
  }
  static Mask or_greater(const Mask& mask, const Vector& x, const Vector& y) {
    return {hn::Or(mask.a, hn::Gt(x.a, y.a)), hn::Or(mask.b, hn::Gt(x.b, y.b))};
  }
  static bool any(const Mask& mask) { return !hn::AllFalse(d, hn::Or(mask.a, mask.b)); }
  static Vector zero_unless_any(const Mask& mask, const Vector& v) {
    return {zero_unless_any(mask.a, v.a), zero_unless_any(mask.b, v.b)};
  }

 private:
  static One set_one(const float* x) {
    if constexpr (kOfVector == 1) {
      return hn::Set(d, x[0]);
    } else {
      return hn::Combine(d, hn::Set(Half(), x[1]), hn::Set(Half(), x[0]));
    }
  }
  static One load_one(const float* const* from) {
    if constexpr (kOfVector == 1) {
      return hn::LoadU(d, from[0]);
    } else {
      return hn::Combine(d, hn::LoadU(Half(), from[1]), hn::LoadU(Half(), from[0]));
    }
  }
  static One zero_unless_any(hn::Mask<D> mask, One v) {
    One lanes = hn::VecFromMask(d, mask);
    lanes = hn::Or(lanes, hn::Shuffle2301(lanes));
    lanes = hn::Or(lanes, hn::Shuffle1032(lanes));
    return hn::And(lanes, v);
  }
};

#endif

void forward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  ForwardSweep<Lanes>(model, tasks).run();
}
void backward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  BackwardSweep<Lanes>(model, tasks).run();
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
