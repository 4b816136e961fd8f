// A matrix of integers with cells that may be barred, and rectangles in it.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "util/int128.hpp"

namespace gpuhmm {

/// Integers row by row. No rectangle that is looked for may contain a barred cell.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<std::int64_t> values;  ///< rows * columns; those of barred cells do not matter
  std::vector<std::uint8_t> barred;  ///< empty, or 1 for each barred cell and 0 for the others

  std::size_t cell(std::size_t row, std::size_t column) const { return row * columns + column; }
  bool is_barred(std::size_t index) const { return !barred.empty() && barred[index] != 0; }
  /// Rows of the pieces that `threads` threads share: some pieces for each, none of them tiny.
  std::size_t rows_of_piece(unsigned threads) const {
    constexpr std::size_t kLeastRows = 16, kLeastCells = std::size_t{1} << 18, kPiecesOfThread = 4;
    return std::max(
        {kLeastRows, kLeastCells / std::max<std::size_t>(columns, 1), rows / (kPiecesOfThread * threads)});
  }

  /// The value as sums see it: 0 where it is barred.
  std::int64_t open_value(std::size_t index) const { return is_barred(index) ? 0 : values[index]; }
};

/// Rows top..bottom and columns left..right, counted from 0, ends included. The order is that in which
/// rectangles of equal sum are preferred.
struct Rectangle {
  std::size_t top = 0, left = 0, bottom = 0, right = 0;

  std::size_t height() const { return bottom - top + 1; }
  std::size_t width() const { return right - left + 1; }
  auto operator<=>(const Rectangle&) const = default;
  /// The other order, of all maximal submatrices: the smallest bottom, then the largest top, the smallest
  /// right, the largest left. A rectangle comes after all that it contains.
  bool ends_before(const Rectangle& other) const {
    return std::tie(bottom, other.top, right, other.left) < std::tie(other.bottom, top, other.right, left);
  }
};

/// Which of several rectangles of equal sum is the best one.
enum class Preference : std::uint8_t {
  Topmost,   ///< by operator<=>
  Innermost  ///< by Rectangle::ends_before
};

/// A rectangle and the sum of its cells. Sum 0 is the empty rectangle: nothing in the matrix is positive.
struct Pattern {
  Int128 sum = 0;
  Rectangle where;

  bool empty() const { return sum == 0; }
};

/// Bars the cells of a rectangle.
inline void bar(Matrix& matrix, const Rectangle& where) {
  matrix.barred.resize(matrix.values.size());
  for (std::size_t row = where.top; row <= where.bottom; ++row) {
    const std::size_t first = matrix.cell(row, where.left);
    for (std::size_t i = first; i < first + where.width(); ++i) matrix.barred[i] = 1;
  }
}

}  // namespace gpuhmm
