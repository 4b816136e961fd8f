// The operations of PlainLanes (plain_lanes.hpp) on several vectors of one or more groups each: the vectors
// behind the first hide its latency. Which of them serve how many sequences, by the memory of these, too.
#if defined(GPUHMM_HMMER3_VECTOR_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_HMMER3_VECTOR_LANES_INL
#undef GPUHMM_HMMER3_VECTOR_LANES_INL
#else
#define GPUHMM_HMMER3_VECTOR_LANES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "hmmer3/float_model.hpp"
#include "hmmer3/plain_lanes.hpp"
#include "hmmer3/shared_rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <std::size_t kVectors, std::size_t kMostLanes>
using VectorLanes = PlainLanes;

#else

template <std::size_t kVectors, std::size_t kMostLanes>
struct VectorLanes {
  using D = hn::CappedTag<float, kMostLanes>;
  static constexpr D d{};
  static constexpr std::size_t kLanes = hn::MaxLanes(D()), kOfVector = kLanes / kStripes;
  static constexpr std::size_t kGroups = kVectors * kOfVector;
  static constexpr bool kEndsPassesEarly = true;
  static constexpr std::size_t kBytesOfVector = (kLanes + 7) / 8, kBitBytes = kVectors * kBytesOfVector;
  using One = hn::Vec<D>;
  struct Vector {
    One v[kVectors];
  };
  struct Mask {
    hn::Mask<D> v[kVectors];
  };
  using Scalars = std::array<float, kGroups>;

  static HWY_INLINE Vector zero() {
    return each([](std::size_t) HWY_ATTR { return hn::Zero(d); });
  }
  static HWY_INLINE Vector set(const Scalars& x) {
    return each([&](std::size_t i) HWY_ATTR { return set_groups(d, x.data() + i * kOfVector); });
  }
  static HWY_INLINE Vector fill(float x) {
    const One v = hn::Set(d, x);
    return each([&](std::size_t) HWY_ATTR { return v; });
  }
  static HWY_INLINE Vector load(const float* from) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Load(d, from + i * kLanes); });
  }
  static HWY_INLINE Vector load_same(const float* from) {
    const One v = hn::LoadDup128(d, from);
    return each([&](std::size_t) HWY_ATTR { return v; });
  }
  static HWY_INLINE Vector load_each(const std::array<const float*, kGroups>& from, std::size_t at) {
    return each([&](std::size_t i) HWY_ATTR { return load_groups(d, from.data() + i * kOfVector, at); });
  }
  static HWY_INLINE void store(const Vector& x, float* to) {
    for (std::size_t i = 0; i < kVectors; ++i) hn::Store(x.v[i], d, to + i * kLanes);
  }
  static HWY_INLINE Vector add(const Vector& x, const Vector& y) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Add(x.v[i], y.v[i]); });
  }
  static HWY_INLINE Vector multiply(const Vector& x, const Vector& y) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Mul(x.v[i], y.v[i]); });
  }
  static HWY_INLINE Vector maximum(const Vector& x, const Vector& y) {
    return each([&](std::size_t i) HWY_ATTR { return hn::Max(x.v[i], y.v[i]); });
  }
  static HWY_INLINE Vector up(const Vector& x) {
    return each([&](std::size_t i) HWY_ATTR { return hn::ShiftLeftLanes<1>(d, x.v[i]); });
  }
  static HWY_INLINE Vector down(const Vector& x) {
    return each([&](std::size_t i) HWY_ATTR { return hn::ShiftRightLanes<1>(d, x.v[i]); });
  }
  static HWY_INLINE Vector up_from_impossible(const Vector& x) {
    constexpr float kImpossible = -std::numeric_limits<float>::infinity();
    alignas(16) static constexpr float kFirst[kStripes] = {kImpossible, 0, 0, 0};
    const One first = hn::LoadDup128(d, kFirst);
    return each([&](std::size_t i) HWY_ATTR { return hn::Or(hn::ShiftLeftLanes<1>(d, x.v[i]), first); });
  }
  static HWY_INLINE Scalars sums(const Vector& x) {
    alignas(64) float lanes[kGroups * kStripes];
    store(x, lanes);
    Scalars sums;
    for (std::size_t g = 0; g < kGroups; ++g) {
      const float* const of_group = lanes + g * kStripes;
      sums[g] = (of_group[0] + of_group[1]) + (of_group[2] + of_group[3]);
    }
    return sums;
  }

  static HWY_INLINE Mask no_lanes() {
    return masks([](std::size_t) HWY_ATTR { return hn::MaskFromVec(hn::Zero(d)); });
  }
  static HWY_INLINE Mask greater(const Vector& x, const Vector& y) {
    return masks([&](std::size_t i) HWY_ATTR { return hn::Gt(x.v[i], y.v[i]); });
  }
  static HWY_INLINE Mask or_greater(const Mask& mask, const Vector& x, const Vector& y) {
    return masks([&](std::size_t i) HWY_ATTR { return hn::Or(mask.v[i], hn::Gt(x.v[i], y.v[i])); });
  }
  static HWY_INLINE bool any(const Mask& mask) {
    hn::Mask<D> all = mask.v[0];
    for (std::size_t i = 1; i < kVectors; ++i) all = hn::Or(all, mask.v[i]);
    return !hn::AllFalse(d, all);
  }
  static HWY_INLINE Vector zero_unless_any(const Mask& mask, const Vector& x) {
    return each([&](std::size_t i) HWY_ATTR {
      One lanes = hn::VecFromMask(d, mask.v[i]);
      lanes = hn::Or(lanes, hn::Shuffle2301(lanes));
      lanes = hn::Or(lanes, hn::Shuffle1032(lanes));
      return hn::And(lanes, x.v[i]);
    });
  }
  static HWY_INLINE Vector choose(const Mask& mask, const Vector& x, const Vector& y) {
    return each([&](std::size_t i) HWY_ATTR { return hn::IfThenElse(mask.v[i], x.v[i], y.v[i]); });
  }
  static HWY_INLINE void store_bits(const Mask& mask, std::uint8_t* to) {
    for (std::size_t i = 0; i < kVectors; ++i) hn::StoreMaskBits(d, mask.v[i], to + i * kBytesOfVector);
  }
  static bool bit(const std::uint8_t* bits, std::size_t group, std::size_t stripe) {
    const std::size_t lane = group % kOfVector * kStripes + stripe;
    return (bits[group / kOfVector * kBytesOfVector + lane / 8] >> lane % 8 & 1) != 0;
  }

 private:
  // Without default constructors, to which g++ gives no target options on Arm.
  template <class Make>
  static HWY_INLINE Vector each(const Make& make) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) HWY_ATTR { return Vector{{make(i)...}}; }
    (std::make_index_sequence<kVectors>());
  }
  template <class Make>
  static HWY_INLINE Mask masks(const Make& make) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) HWY_ATTR { return Mask{{make(i)...}}; }
    (std::make_index_sequence<kVectors>());
  }
  // A scalar for each group of the vector.
  template <class Tag>
  static HWY_INLINE hn::Vec<Tag> set_groups(Tag tag, const float* x) {
    if constexpr (hn::MaxLanes(Tag()) == kStripes) {
      return hn::Set(tag, x[0]);
    } else {
      const hn::Half<Tag> half;
      return hn::Combine(tag, set_groups(half, x + hn::MaxLanes(Tag()) / kStripes / 2), set_groups(half, x));
    }
  }
  // Four values from each of as many places as the vector has groups.
  template <class Tag>
  static HWY_INLINE hn::Vec<Tag> load_groups(Tag tag, const float* const* from, std::size_t at) {
    if constexpr (hn::MaxLanes(Tag()) == kStripes) {
      return hn::LoadU(tag, from[0] + at);
    } else {
      const hn::Half<Tag> half;
      constexpr std::size_t kOfHalf = hn::MaxLanes(Tag()) / kStripes / 2;
      return hn::Combine(tag, load_groups(half, from + kOfHalf, at), load_groups(half, from, at));
    }
  }
};

#endif

/// The lanes of sequences side by side. Four vectors, or vectors of 64 bytes, are no quicker where few
/// sequences are left.
using SideBySide = VectorLanes<2, 8>;
/// Those of half as many.
using FewSideBySide = VectorLanes<1, 8>;
/// The lanes of one sequence.
using Alone = VectorLanes<1, kStripes>;

/// Calls run(lanes) with the narrowest of these that have room for so many sequences side by side; with the
/// widest if none have.
template <class Run>
void with_lanes_for(std::size_t sequences, const Run& run) {
  if (sequences <= Alone::kGroups) {
    run(Alone());
  } else if (sequences <= FewSideBySide::kGroups) {
    run(FewSideBySide());
  } else {
    run(SideBySide());
  }
}

/// Sequences that share rows, and the residues of the longest.
template <class Task>
struct Sharing {
  std::span<Task> tasks;
  std::size_t length = 0;
};

/// The first of the tasks: as many as go side by side, or about half or a quarter of them, so that rows of
/// their cells take at most `most_shared` bytes; one may take more. residues(task): of its sequence.
template <class Task, class Residues>
Sharing<Task> sharing_rows(std::span<Task> tasks, std::size_t steps, bool with_deletes,
                           std::size_t most_shared, const Residues& residues) {
  for (std::size_t count = std::min(tasks.size(), SideBySide::kGroups);; count = (count + 1) / 2) {
    Sharing<Task> sharing{tasks.first(count)};
    for (Task& task : sharing.tasks) sharing.length = std::max(sharing.length, residues(task));
    std::size_t width = 0;
    with_lanes_for(count, [&]<class Lanes>(Lanes) { width = Lanes::kGroups * kStripes; });
    if (count <= 1 || SharedRows::bytes(sharing.length, steps, width, with_deletes) <= most_shared)
      return sharing;
  }
}

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
