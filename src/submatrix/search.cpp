// Choice of integers and walker; see the header.
#include "submatrix/search.hpp"

#include "submatrix/locate.hpp"
#include "submatrix/reference.hpp"

namespace gpuhmm {

namespace {

// Below this many lines the kernels' padding costs more than they gain.
constexpr std::size_t kFewLines = 4;

Pattern located(const Matrix& matrix, const WalkResult& found) {
  if (found.sum == 0) return {};
  return {found.sum, locate_rectangle(matrix, found.sum, found.first)};
}

template <class T>
Pattern walked(const Matrix& matrix, const SumBounds& bounds, const SubmatrixOptions& options) {
  return located(matrix, walk_on_host<T>(matrix, bounds, options.threads, options.done));
}

}  // namespace

Pattern best_submatrix(const Matrix& matrix, const SubmatrixOptions& options) {
  if (walk_shape(matrix).lines < kFewLines) return best_submatrix_reference(matrix);
  const SumBounds bounds = sum_bounds(matrix);
  if (sums_fit<std::int32_t>(bounds)) return walked<std::int32_t>(matrix, bounds, options);
  if (sums_fit<std::int64_t>(bounds)) return walked<std::int64_t>(matrix, bounds, options);
  return best_submatrix_reference(matrix);
}

std::vector<Pattern> top_submatrices(Matrix matrix, std::size_t count, const SubmatrixOptions& options) {
  std::vector<Pattern> found;
  while (found.size() < count) {
    const Pattern next = best_submatrix(matrix, options);
    if (next.empty()) break;
    bar(matrix, next.where);
    found.push_back(next);
  }
  return found;
}

}  // namespace gpuhmm
