// The plain search for the rectangle with the largest sum, which defines the results of all faster ones.
#pragma once

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// The rectangle without barred cells that has the largest sum; of equal sums that with the smallest top,
/// then left, then bottom, then right. Exact for all int64 values, because sums have 128 bits. Runs Kadane's
/// algorithm (1984) along the longer side for each pair of lines of the shorter side.
Pattern best_submatrix_reference(const Matrix& matrix);

}  // namespace gpuhmm
