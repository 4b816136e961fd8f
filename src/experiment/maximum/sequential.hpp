// The publication's sequential algorithms, against which it measures speed.
#pragma once

#include <cstdint>
#include <span>

#include "companion/segments/segment.hpp"
#include "experiment/maximum/data.hpp"

namespace gpuhmm::experiment::maximum {

/// S-seq: a segment of largest sum, any of several; empty if no element is positive. One pass keeps the best
/// segment and the best suffix (Bates and Constable 1985).
Segment<std::int64_t> sequential_subsequence(std::span<const std::int32_t> values);

/// How M-seq reads the sums of a column: the matrix row by row, as published, or transposed first.
enum class ColumnOrder : std::uint8_t { RowMajor, Transposed };

/// M-seq: the largest sum of a rectangle, at least 0, in a square matrix stored row by row. Computes prefix
/// sums of the rows, then makes one pass for each pair of columns. All sums of rectangles must fit 32 bits.
std::int32_t sequential_submatrix(Numbers matrix, std::size_t size, ColumnOrder order);

}  // namespace gpuhmm::experiment::maximum
