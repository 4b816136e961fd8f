// The plain search for the rectangle with the largest sum, which defines the results of all faster ones.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// The rectangle without barred cells that has the largest sum; of equal sums the one that is preferred.
/// Exact for all int64 values, because sums have 128 bits. Runs Kadane's algorithm (1984) along the longer
/// side for each pair of lines of the shorter side.
Pattern best_submatrix_reference(const Matrix& matrix, Preference preference = Preference::Topmost);

/// Where a list of rectangles ends.
struct SubmatrixLimits {
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< how many
  Int128 least = 1;                                            ///< their smallest sum, above 0
};

/// All maximal submatrices by their definition (docs/submatrix.md): each is the best one, the innermost of
/// equal sums, among the cells outside the earlier ones.
std::vector<Pattern> maximal_submatrices_reference(Matrix matrix, const SubmatrixLimits& limits = {});

}  // namespace gpuhmm
