// The search for the rectangle of largest sum: chooses the integers and who walks, and repeats it for several
// rectangles.
#pragma once

#include <cstddef>
#include <vector>

#include "submatrix/host_walk.hpp"
#include "submatrix/matrix.hpp"

namespace gpuhmm {

/// How to search.
struct SubmatrixOptions {
  unsigned threads = 1;  ///< host threads
  FractionDone done;     ///< told about the search of one rectangle; may be empty
};

/// What best_submatrix_reference gives, exactly, by the fastest way that the values allow: integers of 32
/// bits, of 64, or, where sums may leave these, the reference itself.
Pattern best_submatrix(const Matrix& matrix, const SubmatrixOptions& options);

/// Up to `count` rectangles without common cells: each is the best one of what the earlier ones left. Fewer
/// if nothing positive is left.
std::vector<Pattern> top_submatrices(Matrix matrix, std::size_t count, const SubmatrixOptions& options);

}  // namespace gpuhmm
