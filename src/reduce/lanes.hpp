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

/// Adds rows to `sums`; fewer than 2^31 of them in all.
void add_rows(const std::int32_t* rows, std::size_t count, std::size_t width, std::int64_t* sums);
/// Adds the low halves (unsigned) and the high halves (signed) of 64-bit integers.
void add_rows(const std::int64_t* rows, std::size_t count, std::size_t width, std::int64_t* low_sums,
              std::int64_t* high_sums);

/// Adds 8 rows as the fixed tree does: row k to row k + 4, and so on by halves. ignore_nan: NaN counts as -0.
void add_eight(const float* const* rows, std::size_t width, bool ignore_nan, double* sums);
void add_eight(const double* const* rows, std::size_t width, bool ignore_nan, double* sums);

/// Adds `rows` rows (a power of two) of `width` sums by halves into the first.
void fold_rows(double* sums, std::size_t rows, std::size_t width);

/// Adds 1 to `counts` for every number that is not NaN.
void count_numbers(const float* rows, std::size_t count, std::size_t width, std::uint32_t* counts);
void count_numbers(const double* rows, std::size_t count, std::size_t width, std::uint32_t* counts);

}  // namespace gpuhmm
