// Lays a matrix out for the kernels and bounds its sums.
#include "companion/submatrix/planes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "companion/submatrix/prefix_loops.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// Rows and lines are processed in squares, so that the cells read for a transposed matrix stay in the cache.
constexpr std::size_t kSquare = 16;

// A matrix with rows and lines in the direction of the walk.
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

// For each column, the two-dimensional prefix sums of a piece of the rows, counted from the piece's first
// row.
template <class Sum>
struct ColumnExtremes {
  std::vector<Sum> last, low, high;  // of the piece's last row; smallest and largest of all its rows
};

template <class Sum>
ColumnExtremes<Sum> column_extremes(const Matrix& matrix, std::size_t first_row, std::size_t last_row) {
  ColumnExtremes<Sum> found;
  found.last.resize(matrix.columns);
  found.low.resize(matrix.columns);
  found.high.resize(matrix.columns);
  std::vector<Sum> along(matrix.columns);  // the sums along a row
  for (std::size_t row = first_row; row < last_row; ++row) {
    const std::size_t first = matrix.cell(row, 0);
    const auto add_along = [&](const auto& value) {
      Sum run = 0;
      for (std::size_t column = 0; column < matrix.columns; ++column) {
        run += value(first + column);
        along[column] = run;
      }
    };
    if (matrix.barred.empty()) {
      add_along([&](std::size_t index) { return matrix.values[index]; });
    } else {
      add_along([&](std::size_t index) { return matrix.open_value(index); });
    }
    add_row(matrix.columns, along.data(), found.last.data(), found.low.data(), found.high.data());
  }
  return found;
}

// The difference of the largest and the smallest two-dimensional prefix sum, including 0, the empty one. Sum
// must be able to hold all prefix sums.
template <class Sum>
Int128 prefix_range(const Matrix& matrix, unsigned threads) {
  const std::size_t rows = matrix.rows_of_piece(threads);
  std::vector<ColumnExtremes<Sum>> pieces((matrix.rows + rows - 1) / rows);
  parallel_for(threads, pieces.size(), 1, [&](std::size_t piece, std::size_t) {
    const std::size_t first = piece * rows;
    pieces[piece] = column_extremes<Sum>(matrix, first, std::min(first + rows, matrix.rows));
  });
  std::vector<Sum> above(matrix.columns);
  Sum low = 0;
  Sum high = 0;
  for (const ColumnExtremes<Sum>& piece : pieces) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      low = std::min<Sum>(low, above[column] + piece.low[column]);
      high = std::max<Sum>(high, above[column] + piece.high[column]);
      above[column] += piece.last[column];
    }
  }
  return static_cast<Int128>(high) - low;
}

bool prefixes_fit_64_bits(const Matrix& matrix, unsigned threads) {
  constexpr std::size_t kBlock = std::size_t{1} << 18;
  const std::size_t count = matrix.values.size();
  std::vector<Int128> sums((count + kBlock - 1) / kBlock);
  parallel_for(threads, sums.size(), 1, [&](std::size_t block, std::size_t) {
    const std::size_t first = block * kBlock;
    sums[block] = sum_of_sizes(matrix.values.data() + first, std::min(kBlock, count - first));
  });
  return std::accumulate(sums.begin(), sums.end(), Int128{0}) <= std::numeric_limits<std::int64_t>::max();
}

std::size_t most_barred_ranges(const WalkedMatrix& walked, unsigned threads) {
  if (walked.matrix().barred.empty()) return 0;
  std::vector<std::size_t> ranges(walked.shape().length);
  parallel_for(threads, ranges.size(), kSquare, [&](std::size_t first_row, std::size_t last_row) {
    for (std::size_t row = first_row; row < last_row; ++row) {
      bool inside = false;
      for (std::size_t line = 0; line < walked.shape().lines; ++line) {
        const bool barred = walked.matrix().is_barred(walked.index(row, line));
        if (barred && !inside) ++ranges[row];
        inside = barred;
      }
    }
  });
  return *std::max_element(ranges.begin(), ranges.end());
}

// State of the sums along a row.
template <class T>
struct RowState {
  T sum = 0, begun = 0, ended = 0;  // begun, ended: total drop for barred ranges that began, ended
  bool inside = false;
};

// Fills at most kSquare rows of planes whose first row is `first_plane_row`.
template <class T>
class RowFiller {
 public:
  RowFiller(const WalkedMatrix& walked, const PlaneSizes& sizes, T drop, std::size_t first_plane_row,
            T* lower, T* upper)
      : walked_(walked), sizes_(sizes), drop_(drop), first_(first_plane_row), lower_(lower), upper_(upper) {}

  void fill(std::size_t first_row, std::size_t last_row) {
    std::array<RowState<T>, kSquare> states{};
    for (std::size_t first = 0; first < sizes_.lines(); first += kSquare) {
      const std::size_t last = std::min(first + kSquare, sizes_.lines());
      const std::size_t present = std::clamp(walked_.shape().lines, first, last);
      for (std::size_t row = first_row; row < last_row; ++row) {
        RowState<T>& state = states[row - first_row];
        const std::size_t place = first / sizes_.panel * sizes_.panel * sizes_.length +
                                  (row - first_) * sizes_.stride() + first % sizes_.panel;
        if (walked_.matrix().barred.empty()) {
          add_open(row, first, present, place, state);
        } else {
          add(row, first, present, place, state);
        }
        for (std::size_t line = present; line < last; ++line) put(place + line - first, 0, false, state);
        if (sizes_.one_plane && last == sizes_.lines())
          std::fill_n(lower_ + place + last - first, PlaneSizes::kOnePlaneColumns, state.sum);
      }
    }
  }

 private:
  void put(std::size_t place, std::int64_t value, bool barred, RowState<T>& state) {
    if (state.inside && !barred) state.ended = static_cast<T>(state.ended + drop_);
    if (barred && !state.inside) state.begun = static_cast<T>(state.begun + drop_);
    state.inside = barred;
    lower_[place] = static_cast<T>(state.sum - state.ended);
    state.sum = static_cast<T>(state.sum + static_cast<T>(value));
    if (!sizes_.one_plane) upper_[place] = static_cast<T>(state.sum - state.begun);
  }

  void add(std::size_t row, std::size_t first, std::size_t last, std::size_t place, RowState<T>& state) {
    for (std::size_t line = first; line < last; ++line, ++place) {
      const std::size_t index = walked_.index(row, line);
      put(place, walked_.matrix().open_value(index), walked_.matrix().is_barred(index), state);
    }
  }

  // add() for matrices without barred cells.
  void add_open(std::size_t row, std::size_t first, std::size_t last, std::size_t place, RowState<T>& state) {
    const std::int64_t* value = walked_.matrix().values.data() + walked_.index(row, first);
    const std::size_t step = walked_.shape().transposed ? walked_.matrix().columns : 1;
    T sum = state.sum;
    for (std::size_t line = first; line < last; ++line, ++place, value += step) {
      lower_[place] = sum;
      sum = static_cast<T>(sum + static_cast<T>(*value));
      if (!sizes_.one_plane) upper_[place] = sum;
    }
    state.sum = sum;
  }

  const WalkedMatrix& walked_;
  const PlaneSizes& sizes_;
  T drop_;
  std::size_t first_;
  T* lower_;
  T* upper_;
};

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

WalkShape walk_shape(const Matrix& matrix) {
  const bool transposed = matrix.columns > matrix.rows;
  return {transposed, std::min(matrix.rows, matrix.columns), std::max(matrix.rows, matrix.columns)};
}

SumBounds sum_bounds(const Matrix& matrix, unsigned threads) {
  const Int128 range = prefixes_fit_64_bits(matrix, threads) ? prefix_range<std::int64_t>(matrix, threads)
                                                             : prefix_range<Int128>(matrix, threads);
  return {2 * range, most_barred_ranges(WalkedMatrix(matrix), threads)};
}

template <class T>
bool sums_fit(const SumBounds& bounds) {
  return bounds.reach <= std::numeric_limits<T>::max() / (static_cast<Int128>(bounds.ranges) + 1);
}

PlaneSizes plane_sizes(const Matrix& matrix, const PlaneOptions& options) {
  const WalkShape shape = walk_shape(matrix);
  const std::size_t lines = round_up(shape.lines, options.column_multiple);
  const std::size_t panel = options.panel == 0 ? lines : options.panel;
  return {panel, (lines + panel - 1) / panel, shape.length, options.one_plane};
}

template <class T>
void fill_rows(const Matrix& matrix, const SumBounds& bounds, const PlaneSizes& sizes, std::size_t first_row,
               std::size_t last_row, T* lower, T* upper, unsigned threads) {
  const WalkedMatrix walked(matrix);
  parallel_for(threads, last_row - first_row, kSquare, [&](std::size_t first, std::size_t last) {
    RowFiller<T>(walked, sizes, static_cast<T>(bounds.reach), first_row, lower, upper)
        .fill(first_row + first, first_row + last);
  });
}

template <class T>
Planes<T> make_planes(const Matrix& matrix, const SumBounds& bounds, const PlaneOptions& options) {
  Planes<T> planes{plane_sizes(matrix, options), {}, {}};
  planes.lower.resize(planes.sums(planes.length));
  if (!options.one_plane) planes.upper.resize(planes.lower.size());
  fill_rows<T>(matrix, bounds, planes, 0, planes.length, planes.lower.data(), planes.upper.data(),
               options.threads);
  return planes;
}

template bool sums_fit<std::int32_t>(const SumBounds&);
template bool sums_fit<std::int64_t>(const SumBounds&);
template void fill_rows(const Matrix&, const SumBounds&, const PlaneSizes&, std::size_t, std::size_t,
                        std::int32_t*, std::int32_t*, unsigned);
template void fill_rows(const Matrix&, const SumBounds&, const PlaneSizes&, std::size_t, std::size_t,
                        std::int64_t*, std::int64_t*, unsigned);
template Planes<std::int32_t> make_planes(const Matrix&, const SumBounds&, const PlaneOptions&);
template Planes<std::int64_t> make_planes(const Matrix&, const SumBounds&, const PlaneOptions&);

}  // namespace gpuhmm
