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

// Rows and lines are done in squares, so that what a transposed matrix is read from stays in the cache.
constexpr std::size_t kSquare = 16;

// Where sums along a row have got to.
template <class T>
struct RowState {
  T sum = 0, begun = 0, ended = 0;  // begun, ended: drops for barred ranges
  bool inside = false;
};

// Fills rows [first_row, last_row), at most kSquare of them.
template <class T>
class RowFiller {
 public:
  RowFiller(const WalkedMatrix& walked, T drop, Planes<T>& planes)
      : walked_(walked), drop_(drop), planes_(planes), one_plane_(planes.upper.empty()) {}

  void fill(std::size_t first_row, std::size_t last_row) {
    std::array<RowState<T>, kSquare> states{};
    for (std::size_t first = 0; first < planes_.lines(); first += kSquare) {
      const std::size_t last = std::min(first + kSquare, planes_.lines());
      const std::size_t present = std::clamp(walked_.shape().lines, first, last);
      for (std::size_t row = first_row; row < last_row; ++row) {
        RowState<T>& state = states[row - first_row];
        const std::size_t place = first / planes_.panel * planes_.panel * planes_.length +
                                  row * planes_.stride() + first % planes_.panel;
        if (walked_.matrix().barred.empty()) {
          add_open(row, first, present, place, state);
        } else {
          add(row, first, present, place, state);
        }
        for (std::size_t line = present; line < last; ++line) put(place + line - first, 0, false, state);
        if (one_plane_ && last == planes_.lines()) planes_.lower[place + last - first] = state.sum;
      }
    }
  }

 private:
  void put(std::size_t place, std::int64_t value, bool barred, RowState<T>& state) {
    if (state.inside && !barred) state.ended = static_cast<T>(state.ended + drop_);
    if (barred && !state.inside) state.begun = static_cast<T>(state.begun + drop_);
    state.inside = barred;
    planes_.lower[place] = static_cast<T>(state.sum - state.ended);
    state.sum = static_cast<T>(state.sum + static_cast<T>(value));
    if (!one_plane_) planes_.upper[place] = static_cast<T>(state.sum - state.begun);
  }

  void add(std::size_t row, std::size_t first, std::size_t last, std::size_t place, RowState<T>& state) {
    for (std::size_t line = first; line < last; ++line, ++place) {
      const std::size_t index = walked_.index(row, line);
      put(place, walked_.matrix().open_value(index), walked_.matrix().is_barred(index), state);
    }
  }

  // The same without any barred cells.
  void add_open(std::size_t row, std::size_t first, std::size_t last, std::size_t place, RowState<T>& state) {
    const std::int64_t* value = walked_.matrix().values.data() + walked_.index(row, first);
    const std::size_t step = walked_.shape().transposed ? walked_.matrix().columns : 1;
    T sum = state.sum;
    for (std::size_t line = first; line < last; ++line, ++place, value += step) {
      planes_.lower[place] = sum;
      sum = static_cast<T>(sum + static_cast<T>(*value));
      if (!one_plane_) planes_.upper[place] = sum;
    }
    state.sum = sum;
  }

  const WalkedMatrix& walked_;
  T drop_;
  Planes<T>& planes_;
  bool one_plane_;
};

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
  parallel_for(options.threads, walked.shape().length, kSquare, [&](std::size_t first, std::size_t last) {
    RowFiller<T>(walked, drop, planes).fill(first, last);
  });
  return planes;
}

template bool sums_fit<std::int32_t>(const SumBounds&);
template bool sums_fit<std::int64_t>(const SumBounds&);
template Planes<std::int32_t> make_planes(const Matrix&, const SumBounds&, const PlaneOptions&);
template Planes<std::int64_t> make_planes(const Matrix&, const SumBounds&, const PlaneOptions&);

}  // namespace gpuhmm
