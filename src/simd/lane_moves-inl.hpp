// Moves of lanes over the whole length of a vector, which Highway offers within 16 bytes.
#if defined(GPUHMM_SIMD_LANE_MOVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_SIMD_LANE_MOVES_INL
#undef GPUHMM_SIMD_LANE_MOVES_INL
#else
#define GPUHMM_SIMD_LANE_MOVES_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// v moved up by kCount times 16 bytes; the lowest come from `below`, whose lanes are all
/// equal.
template <std::size_t kCount, class D>
HWY_INLINE hn::Vec<D> chunks_moved_up(D d, hn::Vec<D> v, hn::Vec<D> below) {
  constexpr std::size_t kChunks = hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) / 16;
  if constexpr (kCount == kChunks / 2) {
    return hn::ConcatLowerUpper(d, v, below);
  } else {
    static_assert(kCount == 1);
    // In steps of 32 bits: element i gets element i - 4, the first four come from `below`.
    const hn::Repartition<std::int32_t, D> words;
    alignas(64) static constexpr std::int32_t kFrom[] = {0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const auto moved = hn::TableLookupLanes(hn::BitCast(words, v), hn::SetTableIndices(words, kFrom));
    return hn::BitCast(d, hn::IfThenElse(hn::FirstN(words, 4), hn::BitCast(words, below), moved));
  }
}

/// v moved up by kCount lanes; the lowest lanes come from `below`, whose lanes are all equal.
template <std::size_t kCount, class D>
HWY_INLINE hn::Vec<D> lanes_moved_up(D d, hn::Vec<D> v, hn::Vec<D> below) {
  constexpr std::size_t kShift = kCount * sizeof(hn::TFromD<D>);
  if constexpr (kShift % 16 == 0) {
    return chunks_moved_up<kShift / 16>(d, v, below);
  } else if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 16) {
    return hn::CombineShiftRightBytes<16 - kShift>(d, v, below);
  } else {
    return hn::CombineShiftRightBytes<16 - kShift>(d, v, chunks_moved_up<1>(d, v, below));
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
