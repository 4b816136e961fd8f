// A matrix of integers, whose cells may be barred, and rectangles in it.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "util/int128.hpp"

namespace gpuhmm {

/// A matrix of integers. A search considers only rectangles without barred cells.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<std::int64_t> values;  ///< rows * columns, row by row; ignored for barred cells
  std::vector<std::uint8_t> barred;  ///< empty, or 1 for each barred cell and 0 for the others

  std::size_t cell(std::size_t row, std::size_t column) const { return row * columns + column; }
  bool is_barred(std::size_t index) const { return !barred.empty() && barred[index] != 0; }
  /// Rows of a piece, where `threads` threads share pieces of a matrix: gives each thread a few pieces, but
  /// none very small.
  std::size_t rows_of_piece(unsigned threads) const {
    constexpr std::size_t kLeastRows = 16, kLeastCells = std::size_t{1} << 18, kPiecesOfThread = 4;
    return std::max(
        {kLeastRows, kLeastCells / std::max<std::size_t>(columns, 1), rows / (kPiecesOfThread * threads)});
  }

  /// The value of a cell, or 0 if it is barred.
  std::int64_t open_value(std::size_t index) const { return is_barred(index) ? 0 : values[index]; }
};

/// Rows top..bottom and columns left..right, counted from 0, ends included. Of rectangles of equal sum the
/// least is preferred.
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

/// A rectangle and the sum of its cells. Sum 0 stands for no rectangle: no value of the matrix is positive.
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
