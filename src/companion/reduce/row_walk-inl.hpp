// How the loops of the host walk over the rows of a stack: a few rows at a time, fetched ahead by hand.
//
// Taking several rows a step means that accumulators are loaded and stored once for so many numbers, but
// short rows are then met out of order, which the processor does not foresee.
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

inline constexpr std::size_t kLine = 64;  // bytes of a line of the cache
inline constexpr std::size_t kPage = 4096;
inline constexpr std::size_t kSpan = 8 * kPage;   // whose pages are looked up at a time, so that they overlap
inline constexpr std::size_t kMostStep = 4096;    // bytes of a step of short rows
inline constexpr std::size_t kLeastAhead = 2048;  // bytes

// Past all caches but the first: what is read once must not drive out other data.
HWY_INLINE void fetch(const char* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kLine) __builtin_prefetch(from + at, 0, 0);
}

}  // namespace walk_detail

/// Calls combine(at, first, count) for the columns of `Depth` rows of `width` numbers, each `stride` after
/// the one before, from `at` on: columns first to first + count, of which there are `Chunk` but for the last
/// ones.
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
