// The plain way to the rectangle with the largest sum: what every faster way must give.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// The rectangle without barred cells that has the largest sum, and of equal sums the one that is preferred.
/// Exact for all int64 values: sums have 128 bits. For each pair of lines of the shorter side one pass
/// (Kadane 1984) along the longer one.
Pattern best_submatrix_reference(const Matrix& matrix, Preference preference = Preference::Topmost);

/// Which rectangles a list of several ends with.
struct SubmatrixLimits {
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< how many
  Int128 least = 1;                                            ///< their smallest sum, above 0
};

/// All maximal submatrices by their definition (docs/submatrix.md): each is the best one, innermost of equal
/// sums, of what the earlier ones left.
std::vector<Pattern> maximal_submatrices_reference(Matrix matrix, const SubmatrixLimits& limits = {});

}  // namespace gpuhmm
