// Walks over the rows of a stack a few rows at a time, with explicit prefetching.
//
// Taking several rows per step saves loads and stores of accumulators. But memory is then read out of order,
// where rows are short, and the processor's prefetcher does not follow.
#if defined(GPUHMM_ROW_WALK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_ROW_WALK_INL
#undef GPUHMM_ROW_WALK_INL
#else
#define GPUHMM_ROW_WALK_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {

namespace walk_detail {

inline constexpr std::size_t kLine = 64;  // bytes of a cache line
inline constexpr std::size_t kPage = 4096;
inline constexpr std::size_t kSpan = 8 * kPage;   // bytes whose page look-ups are started at a time
inline constexpr std::size_t kMostStep = 4096;    // most bytes of a step with prefetching
inline constexpr std::size_t kLeastAhead = 2048;  // least bytes from a read to its prefetch

// Prefetches for use once: the data must not replace other data in the caches beyond the first.
HWY_INLINE void fetch(const char* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kLine) __builtin_prefetch(from + at, 0, 0);
}

}  // namespace walk_detail

/// Calls combine(at, first, count) for columns [first, first + count) of `Depth` rows of `width` numbers at
/// `at`, until all columns are done. Rows begin at a distance of `stride` numbers. With prefetching `count`
/// is `Chunk`, except for the last columns; without it all columns are one call.
template <std::size_t Depth, std::size_t Chunk, class T, class Combine>
HWY_INLINE void walk_rows(const T* at, std::size_t width, std::size_t stride, const Combine& combine) {
  using namespace walk_detail;
  const std::size_t bytes = Depth * width * sizeof(T);
  std::size_t first = 0;
  if (stride == width && bytes <= kMostStep) {
    const char* const here = reinterpret_cast<const char*>(at);
    const char* const ahead = here + std::max(kLeastAhead, bytes);
    const auto place = reinterpret_cast<std::uintptr_t>(here);
    if (place / kSpan != (place + bytes) / kSpan) {
      const char* const next = here + (2 * kSpan - place % kSpan);
      for (std::size_t page = 0; page < kSpan; page += kPage) __builtin_prefetch(next + page, 0, 2);
    }
    for (; first + Chunk <= width; first += Chunk) {
      fetch(ahead + Depth * first * sizeof(T), Depth * Chunk * sizeof(T));
      combine(at, first, Chunk);
    }
    if (first < width) fetch(ahead + Depth * first * sizeof(T), Depth * (width - first) * sizeof(T));
  }
  if (first < width) combine(at, first, width - first);
}

}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
