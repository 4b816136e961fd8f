// The rectangle of a known sum and top; see the header.
#include "submatrix/locate.hpp"

#include <optional>
#include <stdexcept>

namespace gpuhmm {

Rectangle locate_rectangle(const Matrix& matrix, std::int64_t sum, std::size_t top) {
  std::vector<std::int64_t> column_sums(matrix.columns);  // rows top..row; all fit if the best sum does
  std::vector<std::uint8_t> closed(matrix.columns);
  std::optional<Rectangle> best;
  for (std::size_t row = top; row < matrix.rows; ++row) {
    std::int64_t run = -1;
    std::size_t left = 0;
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      const std::size_t index = matrix.cell(row, column);
      closed[column] |= static_cast<std::uint8_t>(matrix.is_barred(index));
      column_sums[column] += matrix.open_value(index);
      if (closed[column] != 0) {
        run = -1;
        continue;
      }
      if (run < 0) {
        run = 0;
        left = column;
      }
      run += column_sums[column];
      if (run == sum && (!best || left < best->left)) best = Rectangle{top, left, row, column};
    }
  }
  if (!best) throw std::logic_error("no rectangle has the sum that was found");
  return *best;
}

}  // namespace gpuhmm
