// A matrix laid out for the fast kernels: sums along its rows, in the narrowest integers that are safe.
//
// The kernels walk pairs (g, h) of columns, g <= h, and for each pair down or up the rows i; the sum of row i
// between the pair is upper[i][h] - lower[i][g]. So that pairs are few, the matrix is transposed if it has
// more columns than rows.
//
// Barred cells: with `drop` at least as large as any sum, upper[i][h] is lowered by `drop` for each barred
// range of row i that begins at h or before, lower[i][g] for each that ends before g. The difference is then
// lowered once for each range that meets g..h, and no run survives it.
#pragma once

#include <cstddef>
#include <vector>

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// Which way the kernels walk a matrix.
struct WalkShape {
  bool transposed = false;
  std::size_t lines = 0;   ///< columns to take pairs of
  std::size_t length = 0;  ///< rows to walk along
};
WalkShape walk_shape(const Matrix& matrix);

/// What decides the width of integers.
struct SumBounds {
  Int128 reach = 0;        ///< no rectangle has a larger sum, none a smaller one than -reach
  std::size_t ranges = 0;  ///< most barred ranges that a walked row has
};
/// reach is twice the range of the two-dimensional prefix sums: a rectangle is a sum and difference of four
/// of them, a run of Kadane's algorithm is a rectangle. On `threads` threads.
SumBounds sum_bounds(const Matrix& matrix, unsigned threads);

/// True if the kernels cannot overflow `T`: reach * (ranges + 1) fits.
template <class T>
bool sums_fit(const SumBounds& bounds);

/// Sizes of the sums along the rows, in panels of `panel` columns that follow each other; inside a panel row
/// by row. Columns are padded with cells of value 0, which change neither the best sum nor its first line. In
/// one plane, which is one panel, there are no upper sums: upper[i][h] is lower[i][h + 1], for which there
/// are more columns.
struct PlaneSizes {
  std::size_t panel = 0, panels = 0;
  std::size_t length = 0;  ///< rows
  bool one_plane = false;

  std::size_t lines() const { return panel * panels; }
  /// From a row to the next.
  std::size_t stride() const { return panel + (one_plane ? kOnePlaneColumns : 0); }
  /// Sums of `rows` rows in a plane.
  std::size_t sums(std::size_t rows) const { return stride() * panels * rows; }

  static constexpr std::size_t kOnePlaneColumns = 32;
};

/// All sums; `upper` is empty in one plane.
template <class T>
struct Planes : PlaneSizes {
  std::vector<T> lower, upper;
};

/// Lays a matrix out; `panel` 0 is one panel with its columns padded to a multiple of `column_multiple`.
struct PlaneOptions {
  std::size_t panel = 0;
  std::size_t column_multiple = 1;
  unsigned threads = 1;
  bool one_plane = false;  ///< only without barred cells, and with `panel` 0
};
PlaneSizes plane_sizes(const Matrix& matrix, const PlaneOptions& options);
template <class T>
Planes<T> make_planes(const Matrix& matrix, const SumBounds& bounds, const PlaneOptions& options);

/// Some rows of planes of one panel, as plane_sizes gives them: writes sizes.sums(last_row - first_row) sums
/// to `lower`, and to `upper` unless it is one plane. On `threads` threads.
template <class T>
void fill_rows(const Matrix& matrix, const SumBounds& bounds, const PlaneSizes& sizes, std::size_t first_row,
               std::size_t last_row, T* lower, T* upper, unsigned threads);

/// What a walk over all pairs finds.
struct WalkResult {
  std::int64_t sum = 0;   ///< the largest sum; 0: nothing is positive
  std::size_t first = 0;  ///< the smallest top of the rectangles with that sum

  /// The better of two.
  void merge(const WalkResult& other) {
    if (other.sum > sum || (other.sum == sum && other.first < first)) *this = other;
  }
};

}  // namespace gpuhmm
