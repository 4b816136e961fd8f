// Lays a matrix out for the fast kernels: sums along its rows, in the narrowest integers that cannot
// overflow.
//
// The kernels take all pairs (g, h) of columns, g <= h, and walk the rows i for each pair; the sum of row i
// from column g to column h is upper[i][h] - lower[i][g]. To keep the number of pairs small, a matrix with
// more columns than rows is transposed. The columns of the walk are called lines, because they are columns or
// rows of the matrix.
//
// Barred cells: let `drop` be at least as large as any sum. upper[i][h] is lowered by `drop` for each barred
// range of row i that begins at or before h, and lower[i][g] for each that ends before g. The difference is
// then lowered once for each range that overlaps g..h, and every run ends there.
#pragma once

#include <cstddef>
#include <vector>

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// The direction in which the kernels walk a matrix.
struct WalkShape {
  bool transposed = false;
  std::size_t lines = 0;   ///< columns, of which pairs are taken
  std::size_t length = 0;  ///< rows to walk along
};
/// The direction for a matrix.
WalkShape walk_shape(const Matrix& matrix);

/// Bounds that decide the width of the integers.
struct SumBounds {
  Int128 reach = 0;        ///< no rectangle has a larger sum, none a smaller one than -reach
  std::size_t ranges = 0;  ///< largest number of barred ranges in a row of the walk
};
/// Computes the bounds on `threads` threads. `reach` is twice the range of the two-dimensional prefix sums:
/// the sum of a rectangle is the sum of two of them minus two others, and each run of Kadane's algorithm is a
/// rectangle.
SumBounds sum_bounds(const Matrix& matrix, unsigned threads);

/// True if the kernels cannot overflow `T`: reach * (ranges + 1) fits.
template <class T>
bool sums_fit(const SumBounds& bounds);

/// Sizes of the planes of sums. A plane has panels of `panel` columns, one after the other, each stored row
/// by row. Columns are padded with cells of value 0, which change neither the largest sum nor its first line.
/// With `one_plane` there are no upper sums, because upper[i][h] equals lower[i][h + 1]; the plane then is
/// one panel with kOnePlaneColumns additional columns.
struct PlaneSizes {
  std::size_t panel = 0, panels = 0;
  std::size_t length = 0;  ///< rows
  bool one_plane = false;

  std::size_t lines() const { return panel * panels; }
  /// Numbers from a row of a panel to the next.
  std::size_t stride() const { return panel + (one_plane ? kOnePlaneColumns : 0); }
  /// Numbers in `rows` rows of a plane.
  std::size_t sums(std::size_t rows) const { return stride() * panels * rows; }

  static constexpr std::size_t kOnePlaneColumns = 32;
};

/// The planes of sums; `upper` is empty with `one_plane`.
template <class T>
struct Planes : PlaneSizes {
  std::vector<T> lower, upper;
};

/// How to lay a matrix out. `panel` 0: one panel, with its columns padded to a multiple of `column_multiple`.
struct PlaneOptions {
  std::size_t panel = 0;
  std::size_t column_multiple = 1;
  unsigned threads = 1;
  bool one_plane = false;  ///< only without barred cells, and with `panel` 0
};
/// The sizes of the planes of a matrix.
PlaneSizes plane_sizes(const Matrix& matrix, const PlaneOptions& options);
/// The planes of a matrix. T: std::int32_t or std::int64_t; the sums must fit it (sums_fit).
template <class T>
Planes<T> make_planes(const Matrix& matrix, const SumBounds& bounds, const PlaneOptions& options);

/// Fills rows [first_row, last_row) of planes of one panel whose sizes are `sizes`, on `threads` threads.
/// Writes sizes.sums(last_row - first_row) sums to `lower`, and to `upper` unless sizes.one_plane.
template <class T>
void fill_rows(const Matrix& matrix, const SumBounds& bounds, const PlaneSizes& sizes, std::size_t first_row,
               std::size_t last_row, T* lower, T* upper, unsigned threads);

/// The result of a walk over pairs.
struct WalkResult {
  std::int64_t sum = 0;   ///< the largest sum; 0 if no value is positive
  std::size_t first = 0;  ///< the smallest top of the rectangles with that sum

  /// Replaces this result by `other` if that is better.
  void merge(const WalkResult& other) {
    if (other.sum > sum || (other.sum == sum && other.first < first)) *this = other;
  }
};

}  // namespace gpuhmm
