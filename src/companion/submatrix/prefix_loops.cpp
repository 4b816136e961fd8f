// Loops over columns and values that the compiler vectorises for each instruction set.
#include "companion/submatrix/prefix_loops.hpp"

#include <algorithm>

#include "simd/independent_iterations.hpp"

#define HWY_TARGET_INCLUDE "companion/submatrix/prefix_loops.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

template <class Sum>
void add_to_columns(std::size_t columns, const Sum* row, Sum* last, Sum* low, Sum* high) {
  GPUHMM_INDEPENDENT_ITERATIONS
  for (std::size_t column = 0; column < columns; ++column) {
    last[column] += row[column];
    low[column] = std::min(low[column], last[column]);
    high[column] = std::max(high[column], last[column]);
  }
}

// Adds the upper and lower halves of the absolute values separately, so that neither sum exceeds 64 bits.
Int128 add_sizes(const std::int64_t* values, std::size_t count) {
  std::uint64_t low = 0, high = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = static_cast<std::uint64_t>(values[i]);
    const std::uint64_t size = values[i] < 0 ? -bits : bits;
    low += size & 0xffffffff;
    high += size >> 32;
  }
  return (static_cast<Int128>(high) << 32) + low;
}

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {

template <class Sum>
void add_row(std::size_t columns, const Sum* row, Sum* last, Sum* low, Sum* high) {
  GPUHMM_SIMD_TABLE_T(add_to_columns, add_to_columns<Sum>);
  GPUHMM_SIMD_CALL(add_to_columns)(columns, row, last, low, high);
}

GPUHMM_SIMD_TABLE(add_sizes);
Int128 sum_of_sizes(const std::int64_t* values, std::size_t count) {
  return GPUHMM_SIMD_CALL(add_sizes)(values, count);
}

template void add_row(std::size_t, const std::int64_t*, std::int64_t*, std::int64_t*, std::int64_t*);
template void add_row(std::size_t, const Int128*, Int128*, Int128*, Int128*);

}  // namespace gpuhmm
#endif
