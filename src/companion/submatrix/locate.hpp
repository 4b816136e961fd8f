// From the best sum and its top to the rectangle.
#pragma once

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// The rectangle without barred cells that begins at row `top` and has the sum `sum`, the largest in the
/// matrix: of several that with the smallest left, then bottom, then right. Two passes over the cells below
/// `top`, shared by `threads` threads. Throws std::logic_error if there is none.
Rectangle locate_rectangle(const Matrix& matrix, std::int64_t sum, std::size_t top, unsigned threads);

}  // namespace gpuhmm
