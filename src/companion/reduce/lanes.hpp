// The inner loops of the host: many rows of equal width combined element by element, on vector units.
//
// A row is one matrix, or several small ones that follow each other, so that rows are long enough.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuhmm {

/// How minimum and maximum treat their input; see order_keys.hpp.
struct ExtremeRule {
  bool maximum = false;
  bool ignore_nan = false;
};

/// Lowers (raises) `best`, `width` keys, to the keys of `count` rows that follow each other from `rows` on.
void take_extremes(const ExtremeRule& rule, const std::int32_t* rows, std::size_t count, std::size_t width,
                   std::int32_t* best);
void take_extremes(const ExtremeRule& rule, const std::int64_t* rows, std::size_t count, std::size_t width,
                   std::int64_t* best);
void take_extremes(const ExtremeRule& rule, const float* rows, std::size_t count, std::size_t width,
                   std::int32_t* best);
void take_extremes(const ExtremeRule& rule, const double* rows, std::size_t count, std::size_t width,
                   std::int64_t* best);

/// Rows of T that may be added to the same sums: 2^16 of 32 bits, 2^31 of 64.
template <class T>
inline constexpr std::size_t kMostAdded = sizeof(T) == 4 ? std::size_t{1} << 16 : std::size_t{1} << 31;

/// Adds rows to `sums`, which wrap around, and the upper halves of their numbers, their highest bit flipped,
/// to `uppers`: total_of makes exact sums of both. No more than kMostAdded rows in all.
void add_rows(const std::int32_t* rows, std::size_t count, std::size_t width, std::uint32_t* sums,
              std::uint32_t* uppers);
void add_rows(const std::int64_t* rows, std::size_t count, std::size_t width, std::uint64_t* sums,
              std::uint64_t* uppers);

/// Rows that add_eight adds.
inline constexpr std::size_t kEight = 8;

/// Adds eight rows, neighbours first, that begin `stride` numbers after each other. ignore_nan: NaN counts as
/// -0.
void add_eight(const float* rows, std::size_t stride, std::size_t width, bool ignore_nan, double* sums);
void add_eight(const double* rows, std::size_t stride, std::size_t width, bool ignore_nan, double* sums);
/// The same for sums that follow each other and have just been written.
void fold_eight(const double* rows, std::size_t width, double* sums);

/// Adds `rows` rows (a power of two) of `width` sums by halves into the first.
void fold_rows(double* sums, std::size_t rows, std::size_t width);

/// Adds 1 to `counts` for every number that is not NaN.
void count_numbers(const float* rows, std::size_t count, std::size_t width, std::uint32_t* counts);
void count_numbers(const double* rows, std::size_t count, std::size_t width, std::uint32_t* counts);

}  // namespace gpuhmm
