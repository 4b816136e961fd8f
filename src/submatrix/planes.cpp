// Layout of a matrix for the kernels; see the header.
#include "submatrix/planes.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// The matrix as it is walked.
class WalkedMatrix {
 public:
  explicit WalkedMatrix(const Matrix& matrix) : matrix_(matrix), shape_(walk_shape(matrix)) {}

  const WalkShape& shape() const { return shape_; }
  std::size_t index(std::size_t row, std::size_t line) const {
    return shape_.transposed ? matrix_.cell(line, row) : matrix_.cell(row, line);
  }
  const Matrix& matrix() const { return matrix_; }

 private:
  const Matrix& matrix_;
  WalkShape shape_;
};

// Smallest and largest two-dimensional prefix sum, the empty one included; Sum must have room for them.
template <class Sum>
Int128 prefix_range(const Matrix& matrix) {
  std::vector<Sum> above(matrix.columns);
  Sum low = 0;
  Sum high = 0;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    Sum run = 0;
    const std::size_t first = matrix.cell(row, 0);
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      run += matrix.open_value(first + column);
      above[column] += run;
    }
    for (const Sum sum : above) {
      low = std::min(low, sum);
      high = std::max(high, sum);
    }
  }
  return static_cast<Int128>(high) - low;
}

bool prefixes_fit_64_bits(const Matrix& matrix) {
  Int128 absolute = 0;
  for (const std::int64_t value : matrix.values) absolute += value < 0 ? -static_cast<Int128>(value) : value;
  return absolute <= std::numeric_limits<std::int64_t>::max();
}

std::size_t most_barred_ranges(const WalkedMatrix& walked) {
  if (walked.matrix().barred.empty()) return 0;
  std::size_t most = 0;
  for (std::size_t row = 0; row < walked.shape().length; ++row) {
    std::size_t ranges = 0;
    bool inside = false;
    for (std::size_t line = 0; line < walked.shape().lines; ++line) {
      const bool barred = walked.matrix().is_barred(walked.index(row, line));
      if (barred && !inside) ++ranges;
      inside = barred;
    }
    most = std::max(most, ranges);
  }
  return most;
}

constexpr std::size_t kRowsAtOnce = 16;  // of a transposed matrix: two cache lines a column

// Where sums along a row have got to.
template <class T>
struct RowState {
  T sum = 0, begun = 0, ended = 0;  // begun, ended: drops for barred ranges
  bool inside = false;
};

template <class T>
void fill_rows(const WalkedMatrix& walked, T drop, std::size_t first_row, std::size_t last_row,
               Planes<T>& planes) {
  std::array<RowState<T>, kRowsAtOnce> states{};
  const std::size_t rows = last_row - first_row;
  const std::size_t stride = planes.stride();
  const bool one_plane = planes.upper.empty();
  for (std::size_t line = 0; line < planes.lines(); ++line) {
    const std::size_t place =
        line / planes.panel * planes.panel * planes.length + first_row * stride + line % planes.panel;
    for (std::size_t r = 0; r < rows; ++r) {
      RowState<T>& state = states[r];
      std::int64_t value = 0;
      bool barred = false;
      if (line < walked.shape().lines) {
        const std::size_t index = walked.index(first_row + r, line);
        value = walked.matrix().open_value(index);
        barred = walked.matrix().is_barred(index);
      }
      if (state.inside && !barred) state.ended = static_cast<T>(state.ended + drop);
      if (barred && !state.inside) state.begun = static_cast<T>(state.begun + drop);
      state.inside = barred;
      planes.lower[place + r * stride] = static_cast<T>(state.sum - state.ended);
      state.sum = static_cast<T>(state.sum + static_cast<T>(value));
      if (one_plane) {
        if (line + 1 == planes.lines()) planes.lower[place + r * stride + 1] = state.sum;
      } else {
        planes.upper[place + r * stride] = static_cast<T>(state.sum - state.begun);
      }
    }
  }
}

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

WalkShape walk_shape(const Matrix& matrix) {
  const bool transposed = matrix.columns > matrix.rows;
  return {transposed, std::min(matrix.rows, matrix.columns), std::max(matrix.rows, matrix.columns)};
}

SumBounds sum_bounds(const Matrix& matrix) {
  const Int128 range =
      prefixes_fit_64_bits(matrix) ? prefix_range<std::int64_t>(matrix) : prefix_range<Int128>(matrix);
  return {2 * range, most_barred_ranges(WalkedMatrix(matrix))};
}

template <class T>
bool sums_fit(const SumBounds& bounds) {
  return bounds.reach <= std::numeric_limits<T>::max() / (static_cast<Int128>(bounds.ranges) + 1);
}

template <class T>
Planes<T> make_planes(const Matrix& matrix, const SumBounds& bounds, const PlaneOptions& options) {
  const WalkedMatrix walked(matrix);
  Planes<T> planes;
  const std::size_t lines = round_up(walked.shape().lines, options.column_multiple);
  planes.panel = options.panel == 0 ? lines : options.panel;
  planes.panels = (lines + planes.panel - 1) / planes.panel;
  planes.length = walked.shape().length;
  if (!options.one_plane) planes.upper.resize(planes.lines() * planes.length);
  planes.lower.resize(planes.stride() * planes.panels * planes.length);
  const T drop = static_cast<T>(bounds.reach);
  parallel_for(options.threads, walked.shape().length, kRowsAtOnce,
               [&](std::size_t first, std::size_t last) { fill_rows(walked, drop, first, last, planes); });
  return planes;
}

template bool sums_fit<std::int32_t>(const SumBounds&);
template bool sums_fit<std::int64_t>(const SumBounds&);
template Planes<std::int32_t> make_planes(const Matrix&, const SumBounds&, const PlaneOptions&);
template Planes<std::int64_t> make_planes(const Matrix&, const SumBounds&, const PlaneOptions&);

}  // namespace gpuhmm
