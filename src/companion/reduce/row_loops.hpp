// The host's inner loops: they combine many rows of equal width element by element, on vector units.
//
// A row is one matrix, or several consecutive small ones, so that rows are long enough for vectors.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "companion/reduce/order_keys.hpp"

namespace gpuhmm {

/// Whether the maximum or the minimum is wanted, and whether NaN is ignored (order_keys.hpp).
struct ExtremeRule {
  bool maximum = false;
  bool ignore_nan = false;
};

/// The largest number of bytes of a row that is joined from small matrices.
inline constexpr std::size_t kShortRowBytes = 1536;

// T in the following: std::int32_t, std::int64_t, float or double, as far as the function's constraint
// permits.

/// Updates `best`, `width` keys, with the keys of `count` consecutive rows of `width` numbers at `rows`.
template <class T>
void take_extremes(const ExtremeRule& rule, const T* rows, std::size_t count, std::size_t width,
                   OrderKey<T>* best);

/// The largest number of rows that add_rows may add to the same sums: 2^16 of 32-bit integers, 2^31 of 64-bit
/// ones.
template <class T>
inline constexpr std::size_t kMostAdded = sizeof(T) == 4 ? std::size_t{1} << 16 : std::size_t{1} << 31;

/// Adds `count` rows of `width` numbers to `sums`, which wrap around, and the upper halves of the numbers,
/// with the highest bit flipped, to `uppers`. total_of (totals.hpp) computes the exact sums from both, if at
/// most kMostAdded rows were added in total.
template <std::integral T>
void add_rows(const T* rows, std::size_t count, std::size_t width, std::make_unsigned_t<T>* sums,
              std::make_unsigned_t<T>* uppers);

/// The number of rows that add_eight adds.
inline constexpr std::size_t kEight = 8;

/// Adds eight rows of `width` numbers, neighbours first, into `sums`. Rows begin at a distance of `stride`
/// numbers. `ignore_nan`: NaN counts as -0.
template <std::floating_point T>
void add_eight(const T* rows, std::size_t stride, std::size_t width, bool ignore_nan, double* sums);
/// Adds eight consecutive rows of `width` sums, which should still be in the cache.
void fold_eight(const double* rows, std::size_t width, double* sums);

/// Adds `rows` rows, a power of two, of `width` sums into the first row: repeatedly the second half of the
/// rows is added to the first half.
void fold_rows(double* sums, std::size_t rows, std::size_t width);

/// Adds to `counts`, for each of `width` columns, how many of `count` rows have a number that is not NaN.
template <std::floating_point T>
void count_numbers(const T* rows, std::size_t count, std::size_t width, std::uint32_t* counts);

}  // namespace gpuhmm
