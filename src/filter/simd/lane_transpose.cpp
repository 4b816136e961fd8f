// Transposes squares of 16 rows and as many lanes as a vector has bytes.
#include "filter/simd/lane_transpose.hpp"

#include "filter/simd/lane_sequences.hpp"

#define HWY_TARGET_INCLUDE "filter/simd/lane_transpose.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<std::uint8_t, kLaneCount> kBytes;
using Bytes = hn::Vec<decltype(kBytes)>;
constexpr std::size_t kLanes = hn::MaxLanes(kBytes);

// 16 bytes from each of several lanes that are 16 apart.
template <class Part>
HWY_INLINE hn::Vec<Part> load_lanes(Part part, const std::uint8_t* lane, std::size_t rows) {
  constexpr std::size_t kBytesOfPart = hn::MaxLanes(Part());
  if constexpr (kBytesOfPart == 16) {
    return hn::LoadU(part, lane);
  } else {
    const hn::Half<Part> half;
    const auto lower = load_lanes(half, lane, rows);
    return hn::Combine(part, load_lanes(half, lane + kBytesOfPart / 2 * rows, rows), lower);
  }
}

// The row that vector i holds after four steps of interleave().
constexpr std::size_t row_of(std::size_t i) { return (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | i >> 3; }

void transpose(const std::uint8_t* lanes, std::size_t rows, std::uint8_t* codes) {
  for (std::size_t row = 0; row < rows; row += kRowsTransposed) {
    for (std::size_t first = 0; first < kLaneCount; first += kLanes) {
      Bytes square[kRowsTransposed];
      for (std::size_t i = 0; i < kRowsTransposed; ++i) {
        square[i] = load_lanes(kBytes, lanes + (first + i) * rows + row, rows);
      }
      interleave<std::uint8_t>(kBytes, square);
      interleave<std::uint16_t>(kBytes, square);
      interleave<std::uint32_t>(kBytes, square);
      interleave<std::uint64_t>(kBytes, square);
      for (std::size_t i = 0; i < kRowsTransposed; ++i) {
        hn::Store(square[i], kBytes, codes + (row + row_of(i)) * kLaneCount + first);
      }
    }
  }
}

#else  // no vectors: never called

void transpose(const std::uint8_t*, std::size_t, std::uint8_t*) {}

#endif

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::simd {

GPUHMM_SIMD_TABLE(transpose);

void transpose_lanes(const std::uint8_t* lanes, std::size_t rows, std::uint8_t* codes) {
  GPUHMM_SIMD_CALL(transpose)(lanes, rows, codes);
}

}  // namespace gpuhmm::simd
#endif
