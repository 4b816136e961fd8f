// Vectors of scores with 128, 256 or 512 bits, and the two ways in which sequences share a vector (Packing).
#if defined(GPUHMM_SIMD_SCORE_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_SIMD_SCORE_VECTORS_INL
#undef GPUHMM_SIMD_SCORE_VECTORS_INL
#else
#define GPUHMM_SIMD_SCORE_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "simd/lane_moves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// The most bytes of a vector, unless the 64 of AVX-512 are requested.
inline constexpr std::size_t kUsualVectorBytes = 32;

/// Sum of scores: 16-bit sums saturate, 32-bit sums cannot overflow by construction of the parameters.
template <class V>
HWY_INLINE V add_scores(V a, V b) {
  if constexpr (sizeof(hn::TFromV<V>) == 2) {
    return hn::SaturatedAdd(a, b);
  } else {
    return hn::Add(a, b);
  }
}

/// Sum of scores that is known to stay in range if kFits, and need not saturate then.
template <bool kFits, class V>
HWY_INLINE V add_fitting_scores(V a, V b) {
  if constexpr (kFits) {
    return hn::Add(a, b);
  } else {
    return add_scores(a, b);
  }
}

/// Vectors of T with kBytes bytes, or fewer if the instruction set has no more; the part common to both
/// packings.
template <class T, std::size_t kBytes = kUsualVectorBytes>
struct ScoreVectors {
  using Score = T;
  using D = hn::CappedTag<T, kBytes / sizeof(T)>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  static constexpr std::size_t kChunkLanes = 16 / sizeof(T);
  static constexpr std::size_t kChunks = kLanes / kChunkLanes;
  static_assert(kChunks == 1 || kChunks == 2 || kChunks == 4);
};

/// Packing::Whole: one sequence in a vector; model scores are loaded as they are stored.
template <class T, std::size_t kBytes = kUsualVectorBytes>
struct WholeVectors : ScoreVectors<T, kBytes> {
  using Base = ScoreVectors<T, kBytes>;
  using typename Base::D;
  using typename Base::V;
  static constexpr std::size_t kSequences = 1;
  static constexpr std::size_t kModelLanes = Base::kLanes;

  static HWY_INLINE V model_scores(const T* p) { return hn::Load(D(), p); }
  /// Emissions at `offset` of the rows of the sequences in the vector.
  static HWY_INLINE V emissions(const T* const* rows, std::size_t offset) {
    return hn::Load(D(), rows[0] + offset);
  }

  /// v moved up by kCount lanes; the lowest lanes come from `below`, whose lanes are all equal.
  template <std::size_t kCount>
  static HWY_INLINE V up(V v, V below) {
    return lanes_moved_up<kCount>(D(), v, below);
  }
};

/// Packing::Chunks: one sequence in every 16 bytes; the model's scores are repeated in all chunks.
template <class T, std::size_t kBytes = kUsualVectorBytes>
struct ChunkedVectors : ScoreVectors<T, kBytes> {
  using Base = ScoreVectors<T, kBytes>;
  using typename Base::D;
  using typename Base::V;
  static constexpr std::size_t kSequences = Base::kChunks;
  static constexpr std::size_t kModelLanes = Base::kChunkLanes;

  static HWY_INLINE V model_scores(const T* p) { return hn::LoadDup128(D(), p); }
  static HWY_INLINE V emissions(const T* const* rows, std::size_t offset) {
    return load_chunks(D(), rows, offset);
  }
  template <std::size_t kCount>
  static HWY_INLINE V up(V v, V below) {
    return hn::CombineShiftRightBytes<16 - kCount * sizeof(T)>(D(), v, below);
  }

 private:
  template <class Part>
  static HWY_INLINE hn::Vec<Part> load_chunks(Part part, const T* const* rows, std::size_t offset) {
    constexpr std::size_t kParts = hn::MaxLanes(Part()) / Base::kChunkLanes;
    if constexpr (kParts == 1) {
      return hn::Load(part, rows[0] + offset);
    } else {
      const hn::Half<Part> half;
      return hn::Combine(part, load_chunks(half, rows + kParts / 2, offset), load_chunks(half, rows, offset));
    }
  }
};

/// Max-plus prefix scan over the lanes: lane l gets the maximum of its own value and value[l'] + the weight
/// from l' to l for all l' < l. `weights` has one plane for each step of 1, 2, 4, ... lanes.
template <class L, std::size_t kStep = 1>
HWY_INLINE typename L::V scan_lanes(typename L::V values, typename L::V floor,
                                    const typename L::Score* HWY_RESTRICT weights) {
  if constexpr (kStep < L::kModelLanes) {
    const auto moved = add_scores(L::template up<kStep>(values, floor), L::model_scores(weights));
    return scan_lanes<L, kStep * 2>(hn::Max(values, moved), floor, weights + L::kModelLanes);
  } else {
    return values;
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
