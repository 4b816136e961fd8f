// The publication's sequential algorithms, its measure of speed.
#pragma once

#include <cstdint>
#include <span>

#include "companion/segments/segment.hpp"
#include "experiment/maximum/data.hpp"

namespace gpuhmm::experiment::maximum {

/// S-seq: a segment of largest sum by one pass that keeps the best segment and the best suffix (Bates and
/// Constable 1985); empty if nothing is positive. Of equal sums it finds any.
Segment<std::int64_t> sequential_subsequence(std::span<const std::int32_t> values);

/// How M-seq reads the sums of a column: the matrix row by row, as published, or transposed first.
enum class ColumnOrder : std::uint8_t { RowMajor, Transposed };

/// M-seq: the largest sum of a rectangle, at least 0, of a square matrix, row by row: prefix sums of the
/// rows, then one pass for each pair of columns. No sum of a rectangle or of a part of a row may leave 32
/// bits.
std::int32_t sequential_submatrix(Numbers matrix, std::size_t size, ColumnOrder order);

}  // namespace gpuhmm::experiment::maximum
