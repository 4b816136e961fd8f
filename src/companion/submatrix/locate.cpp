// Finds the rectangle with a known sum and top, by Kadane's recurrence along rows.
#include "companion/submatrix/locate.hpp"

#include <optional>
#include <stdexcept>

#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// State of each column: the cells from the top to the current row.
struct Columns {
  explicit Columns(std::size_t count) : sums(count), closed(count) {}

  std::vector<std::int64_t> sums;    // all fit 64 bits if the largest sum does
  std::vector<std::uint8_t> closed;  // 1: one of the cells is barred

  void add_row(const Matrix& matrix, std::size_t row) {
    const std::size_t first = matrix.cell(row, 0);
    if (matrix.barred.empty()) {
      for (std::size_t column = 0; column < sums.size(); ++column)
        sums[column] += matrix.values[first + column];
      return;
    }
    for (std::size_t column = 0; column < sums.size(); ++column) {
      closed[column] |= static_cast<std::uint8_t>(matrix.is_barred(first + column));
      sums[column] += matrix.open_value(first + column);
    }
  }
  void add(const Columns& below) {
    for (std::size_t column = 0; column < sums.size(); ++column) {
      closed[column] |= below.closed[column];
      sums[column] += below.sums[column];
    }
  }
};

// The rectangle with the given sum, top and last row that has the smallest left, then right; nothing if there
// is none. Kadane's recurrence: a new run begins where the one before is negative.
std::optional<Rectangle> ending_in(const Columns& columns, std::int64_t sum, std::size_t top,
                                   std::size_t row) {
  std::optional<Rectangle> best;
  std::int64_t run = -1;
  std::size_t left = 0;
  for (std::size_t column = 0; column < columns.sums.size(); ++column) {
    if (columns.closed[column] != 0) {
      run = -1;
      continue;
    }
    if (run < 0) {
      run = 0;
      left = column;
    }
    run += columns.sums[column];
    if (run == sum && (!best || left < best->left)) best = Rectangle{top, left, row, column};
  }
  return best;
}

}  // namespace

Rectangle locate_rectangle(const Matrix& matrix, std::int64_t sum, std::size_t top, unsigned threads) {
  const std::size_t rows = matrix.rows_of_piece(threads);
  const std::size_t count = (matrix.rows - top + rows - 1) / rows;
  const auto each_row = [&](std::size_t piece, const auto& body) {
    const std::size_t first = top + piece * rows;
    for (std::size_t row = first; row < std::min(first + rows, matrix.rows); ++row) body(row);
  };
  // First the sums of each piece, stored for the next one; then the sums of all pieces above each.
  std::vector<Columns> columns(count, Columns(matrix.columns));
  parallel_for(threads, count - 1, 1, [&](std::size_t piece, std::size_t) {
    each_row(piece, [&](std::size_t row) { columns[piece + 1].add_row(matrix, row); });
  });
  for (std::size_t piece = 1; piece < count; ++piece) columns[piece].add(columns[piece - 1]);
  std::vector<std::optional<Rectangle>> found(count);
  parallel_for(threads, count, 1, [&](std::size_t piece, std::size_t) {
    each_row(piece, [&](std::size_t row) {
      columns[piece].add_row(matrix, row);
      const std::optional<Rectangle> next = ending_in(columns[piece], sum, top, row);
      if (next && (!found[piece] || next->left < found[piece]->left)) found[piece] = next;
    });
  });
  std::optional<Rectangle> best;
  for (const std::optional<Rectangle>& next : found) {
    if (next && (!best || next->left < best->left)) best = next;
  }
  if (!best) throw std::logic_error("no rectangle has the sum that was found");
  return *best;
}

}  // namespace gpuhmm
