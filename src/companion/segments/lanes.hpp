// Eight numbers side by side, for the loops over tiles on the host's vector units.
#pragma once

#include <cstddef>
#include <cstdint>

#include "companion/segments/blocks.hpp"

// Vectors are passed between functions that are always inlined: how calls would pass them does not matter.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace gpuhmm {

constexpr std::size_t kLanes = 8;

typedef std::int32_t Narrow __attribute__((vector_size(kLanes * sizeof(std::int32_t))));
typedef std::int64_t Wide __attribute__((vector_size(kLanes * sizeof(std::int64_t))));
// For loads from any place.
typedef Narrow UnalignedNarrow __attribute__((aligned(sizeof(std::int32_t)), may_alias));
typedef std::int64_t Pairs __attribute__((vector_size(sizeof(Narrow))));
// For sums that may leave their range: they wrap.
typedef std::uint32_t NarrowBits __attribute__((vector_size(sizeof(Narrow))));
typedef std::uint64_t WideBits __attribute__((vector_size(sizeof(Wide))));

/// Eight elements from any place.
[[gnu::always_inline]] inline Narrow load_lanes(const std::int32_t* from) {
  return *reinterpret_cast<const UnalignedNarrow*>(from);
}

/// Transposes eight vectors held in `rows`: pairs of elements, then pairs of pairs, then halves change
/// places.
[[gnu::always_inline]] inline void transpose(Narrow* rows) {
  Pairs pairs[kLanes], fours[kLanes];
  for (std::size_t i = 0; i < kLanes; i += 2) {
    pairs[i] =
        reinterpret_cast<Pairs>(__builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 1, 9, 4, 12, 5, 13));
    pairs[i + 1] =
        reinterpret_cast<Pairs>(__builtin_shufflevector(rows[i], rows[i + 1], 2, 10, 3, 11, 6, 14, 7, 15));
  }
  for (std::size_t i = 0; i < kLanes; i += 4) {
    for (std::size_t j = 0; j < 2; ++j) {
      fours[i + 2 * j] = __builtin_shufflevector(pairs[i + j], pairs[i + j + 2], 0, 4, 2, 6);
      fours[i + 2 * j + 1] = __builtin_shufflevector(pairs[i + j], pairs[i + j + 2], 1, 5, 3, 7);
    }
  }
  for (std::size_t i = 0; i < kLanes / 2; ++i) {
    rows[i] = reinterpret_cast<Narrow>(__builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 4, 5));
    rows[i + 4] = reinterpret_cast<Narrow>(__builtin_shufflevector(fours[i], fours[i + 4], 2, 3, 6, 7));
  }
}

/// Kadane's recurrence in lanes, each with a run of its own: sums from the run's start, their extremes, and
/// the largest rise. Sums wrap.
template <class Sums, class Bits>
struct LaneRuns {
  Sums sum{}, lowest{}, highest{}, best{};

  [[gnu::always_inline]] void add(Narrow elements) {
    sum = reinterpret_cast<Sums>(reinterpret_cast<Bits>(sum) +
                                 reinterpret_cast<Bits>(__builtin_convertvector(elements, Sums)));
    lowest = sum < lowest ? sum : lowest;
    highest = sum > highest ? sum : highest;
    const Sums rise = reinterpret_cast<Sums>(reinterpret_cast<Bits>(sum) - reinterpret_cast<Bits>(lowest));
    best = rise > best ? rise : best;
  }

  /// The four numbers of a lane's run.
  TileSums run(std::size_t lane) const {
    return {sum[lane], highest[lane], std::int64_t{sum[lane]} - lowest[lane], best[lane]};
  }
};

}  // namespace gpuhmm
