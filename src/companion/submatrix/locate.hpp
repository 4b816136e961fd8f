// Finds the best rectangle once its sum and top are known.
#pragma once

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// The rectangle without barred cells that begins at row `top` and whose sum is `sum`, which must be the
/// largest of the matrix; of several rectangles that with the smallest left, then bottom, then right. Makes
/// two passes over the rows from `top` on, on `threads` threads. Throws std::logic_error if there is no such
/// rectangle.
Rectangle locate_rectangle(const Matrix& matrix, std::int64_t sum, std::size_t top, unsigned threads);

}  // namespace gpuhmm
