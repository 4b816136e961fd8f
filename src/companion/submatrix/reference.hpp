// The plain way to the rectangle with the largest sum: what every faster way must give.
#pragma once

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// The rectangle without barred cells that has the largest sum; of equal sums that with the smallest top,
/// then left, then bottom, then right. Exact for all int64 values: sums have 128 bits. For each pair of lines
/// of the shorter side one pass (Kadane 1984) along the longer one.
Pattern best_submatrix_reference(const Matrix& matrix);

}  // namespace gpuhmm
