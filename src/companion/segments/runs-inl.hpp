// Vectors of eight numbers, for the loops over tiles on the host's vector units. Eight 32-bit numbers take
// one vector of 32 bytes or two of 16; 64-bit numbers take twice as many.
#if defined(GPUHMM_SEGMENT_RUNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_SEGMENT_RUNS_INL
#undef GPUHMM_SEGMENT_RUNS_INL
#else
#define GPUHMM_SEGMENT_RUNS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "companion/segments/blocks.hpp"
#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// Runs that are processed in parallel, one per lane.
inline constexpr std::size_t kRuns = 8;

/// Eight numbers in one or more SIMD vectors, those of part[0] first.
template <class T>
struct Eight {
  using D = hn::CappedTag<T, kRuns>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  static constexpr std::size_t kParts = kRuns / kLanes;

  HWY_INLINE void store(T* to) const {
    for (std::size_t p = 0; p < kParts; ++p) hn::StoreU(part[p], D(), to + p * kLanes);
  }

  hn::Vec<D> part[kParts];
};

template <class T>
HWY_INLINE Eight<T> zeros() {
  Eight<T> eight;
  for (auto& part : eight.part) part = hn::Zero(typename Eight<T>::D());
  return eight;
}

/// Loads eight elements; `from` need not be aligned.
template <class T>
HWY_INLINE Eight<T> load_eight(const T* from) {
  Eight<T> eight;
  for (std::size_t p = 0; p < Eight<T>::kParts; ++p) {
    eight.part[p] = hn::LoadU(typename Eight<T>::D(), from + p * Eight<T>::kLanes);
  }
  return eight;
}

/// Sum and difference modulo 2^32 or 2^64.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V wrapped_sum(D d, V a, V b) {
  const hn::RebindToUnsigned<D> bits;
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, a), hn::BitCast(bits, b)));
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V wrapped_difference(D d, V a, V b) {
  const hn::RebindToUnsigned<D> bits;
  return hn::BitCast(d, hn::Sub(hn::BitCast(bits, a), hn::BitCast(bits, b)));
}

template <class T>
HWY_INLINE Eight<T> widened(const Eight<std::int32_t>& from) {
  using Narrow = Eight<std::int32_t>;
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return from;
  } else {
    const typename Eight<T>::D d;
    Eight<T> to;
    for (std::size_t p = 0; p < Narrow::kParts; ++p) {
      if constexpr (Eight<T>::kParts == Narrow::kParts) {
        to.part[p] = hn::PromoteTo(d, from.part[p]);
      } else {
        const hn::Half<Narrow::D> half;
        to.part[2 * p] = hn::PromoteTo(d, hn::LowerHalf(half, from.part[p]));
        to.part[2 * p + 1] = hn::PromoteTo(d, hn::UpperHalf(half, from.part[p]));
      }
    }
    return to;
  }
}

/// Transposes 8 x 8 elements: element i of run j becomes element j of row i.
HWY_INLINE void transpose(Eight<std::int32_t> (&rows)[kRuns]) {
  constexpr std::size_t kLanes = Eight<std::int32_t>::kLanes;
  constexpr std::size_t kHalf = kRuns / 2;
  constexpr std::size_t kColumnOf[kHalf] = {0, 2, 1, 3};  // column in vector i of a square
  const Eight<std::int32_t>::D d;
  hn::Vec<Eight<std::int32_t>::D> squares[2][kRuns / kLanes][kHalf];
#pragma GCC unroll 2
  for (std::size_t h = 0; h < 2; ++h) {
#pragma GCC unroll 2
    for (std::size_t p = 0; p < kRuns / kLanes; ++p) {
      auto& square = squares[h][p];
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kHalf; ++i) square[i] = rows[kHalf * h + i].part[p];
      simd::HWY_NAMESPACE::interleave<std::uint32_t>(d, square);
      simd::HWY_NAMESPACE::interleave<std::uint64_t>(d, square);
    }
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kHalf; ++i) {
    const std::size_t column = kColumnOf[i];
    if constexpr (kLanes == kRuns) {
      rows[column].part[0] = hn::ConcatLowerLower(d, squares[1][0][i], squares[0][0][i]);
      rows[column + kHalf].part[0] = hn::ConcatUpperUpper(d, squares[1][0][i], squares[0][0][i]);
    } else {
      for (std::size_t p = 0; p < 2; ++p) {
        for (std::size_t h = 0; h < 2; ++h) rows[column + kHalf * p].part[h] = squares[h][p][i];
      }
    }
  }
}

/// Kadane's recurrence for eight runs in parallel: each run's sum, its lowest and highest prefix sums, and
/// the sum of its best segment. Sums wrap around.
template <class T>
struct RunSums {
  // Written out, because an implicit constructor would not be compiled for this instruction set.
  HWY_INLINE RunSums() : sum(zeros<T>()), lowest(sum), highest(sum), best(sum) {}

  HWY_INLINE void add(const Eight<std::int32_t>& elements) {
    const typename Eight<T>::D d;
    const Eight<T> next = widened<T>(elements);
#pragma GCC unroll 8
    for (std::size_t p = 0; p < Eight<T>::kParts; ++p) {
      sum.part[p] = wrapped_sum(d, sum.part[p], next.part[p]);
      lowest.part[p] = hn::Min(lowest.part[p], sum.part[p]);
      highest.part[p] = hn::Max(highest.part[p], sum.part[p]);
      best.part[p] = hn::Max(best.part[p], wrapped_difference(d, sum.part[p], lowest.part[p]));
    }
  }

  /// Stores the numbers of each run.
  HWY_INLINE void store(TileSums (&runs)[kRuns]) const {
    T sums[kRuns], lows[kRuns], highs[kRuns], bests[kRuns];
    sum.store(sums);
    lowest.store(lows);
    highest.store(highs);
    best.store(bests);
    for (std::size_t i = 0; i < kRuns; ++i) {
      runs[i] = {sums[i], highs[i], std::int64_t{sums[i]} - lows[i], bests[i]};
    }
  }

  Eight<T> sum, lowest, highest, best;
};

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
