// Transposes a square of vectors.
#if defined(GPUHMM_SIMD_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_SIMD_TRANSPOSE_INL
#undef GPUHMM_SIMD_TRANSPOSE_INL
#else
#define GPUHMM_SIMD_TRANSPOSE_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// One step of a transposition, separately in every 16 bytes of the vectors: interleaves the units of
/// neighbouring vectors, the lower halves into the first half of `square`, the upper ones into the second.
/// Steps with units of 1, 2, 4 and 8 bytes, or the last ones of these, put into vector i the column whose
/// number has the bits of i reversed.
template <class Unit, class D, class V, std::size_t kRows>
HWY_INLINE void interleave(D d, V (&square)[kRows]) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::Repartition<Unit, D> units;
  V mixed[kRows];
  for (std::size_t i = 0; i < kRows / 2; ++i) {
    const auto even = hn::BitCast(units, square[2 * i]);
    const auto odd = hn::BitCast(units, square[2 * i + 1]);
    mixed[i] = hn::BitCast(d, hn::InterleaveLower(units, even, odd));
    mixed[i + kRows / 2] = hn::BitCast(d, hn::InterleaveUpper(units, even, odd));
  }
  for (std::size_t i = 0; i < kRows; ++i) square[i] = mixed[i];
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
