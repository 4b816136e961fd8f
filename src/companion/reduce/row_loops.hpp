// The inner loops of the host: many rows of equal width combined element by element, on vector units.
//
// A row is one matrix, or several small ones that follow each other, so that rows are long enough.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "companion/reduce/order_keys.hpp"

namespace gpuhmm {

/// How minimum and maximum treat their input; see order_keys.hpp.
struct ExtremeRule {
  bool maximum = false;
  bool ignore_nan = false;
};

/// Rows joined from small matrices have up to so many bytes.
inline constexpr std::size_t kShortRowBytes = 1536;

// T: std::int32_t, std::int64_t, float or double, but as said.

/// Lowers (raises) `best`, `width` keys, to the keys of `count` rows that follow each other from `rows` on.
template <class T>
void take_extremes(const ExtremeRule& rule, const T* rows, std::size_t count, std::size_t width,
                   OrderKey<T>* best);

/// Rows of T that may be added to the same sums: 2^16 of 32 bits, 2^31 of 64.
template <class T>
inline constexpr std::size_t kMostAdded = sizeof(T) == 4 ? std::size_t{1} << 16 : std::size_t{1} << 31;

/// Adds rows to `sums`, which wrap around, and the upper halves of their numbers, their highest bit flipped,
/// to `uppers`: total_of makes exact sums of both. No more than kMostAdded rows in all.
template <std::integral T>
void add_rows(const T* rows, std::size_t count, std::size_t width, std::make_unsigned_t<T>* sums,
              std::make_unsigned_t<T>* uppers);

/// Rows that add_eight adds.
inline constexpr std::size_t kEight = 8;

/// Adds eight rows, neighbours first, that begin `stride` numbers after each other. ignore_nan: NaN counts as
/// -0.
template <std::floating_point T>
void add_eight(const T* rows, std::size_t stride, std::size_t width, bool ignore_nan, double* sums);
/// The same for sums that follow each other and have just been written.
void fold_eight(const double* rows, std::size_t width, double* sums);

/// Adds `rows` rows (a power of two) of `width` sums by halves into the first.
void fold_rows(double* sums, std::size_t rows, std::size_t width);

/// Adds 1 to `counts` for every number that is not NaN.
template <std::floating_point T>
void count_numbers(const T* rows, std::size_t count, std::size_t width, std::uint32_t* counts);

}  // namespace gpuhmm
