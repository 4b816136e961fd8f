// The algorithms S-seq and M-seq.
#include "experiment/maximum/sequential.hpp"

#include <algorithm>

namespace gpuhmm::experiment::maximum {

namespace {

// The sum of the best segment down the rows between two columns of prefix sums, which have a distance of
// `step` from row to row. Without `left`, sums begin at the first column.
std::int32_t best_between(const std::int32_t* left, const std::int32_t* right, std::size_t rows,
                          std::size_t step) {
  std::int32_t best = 0, suffix = 0;
  bool ends = false;  // the best segment ends at the last row
  for (std::size_t at = 0; at < rows * step; at += step) {
    const std::int32_t x = right[at] - (left != nullptr ? left[at] : 0);
    if (ends && x > 0) {
      best += x;
      suffix = best;
    } else if (suffix + x > best) {
      suffix += x;
      best = suffix;
      ends = true;
    } else {
      suffix = suffix + x > 0 ? suffix + x : 0;
      ends = false;
    }
  }
  return best;
}

Numbers transposed(const Numbers& matrix, std::size_t size) {
  constexpr std::size_t kTile = 32;
  Numbers turned(matrix.size());
  for (std::size_t top = 0; top < size; top += kTile) {
    for (std::size_t column = 0; column < size; ++column) {
      for (std::size_t row = top; row < std::min(top + kTile, size); ++row) {
        turned[column * size + row] = matrix[row * size + column];
      }
    }
  }
  return turned;
}

}  // namespace

Segment<std::int64_t> sequential_subsequence(std::span<const std::int32_t> values) {
  Segment<std::int64_t> best;
  std::int64_t suffix = 0;
  std::uint64_t suffix_begin = 0;
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    const std::int64_t x = values[i];
    if (best.end == i && !best.empty() && x > 0) {
      best.score += x;
      best.end = i + 1;
      suffix = best.score;
    } else if (suffix + x > best.score) {
      suffix += x;
      best = {suffix_begin, i + 1, suffix};
    } else if (suffix + x > 0) {
      suffix += x;
    } else {
      suffix = 0;
      suffix_begin = i + 1;
    }
  }
  return best;
}

std::int32_t sequential_submatrix(Numbers matrix, std::size_t size, ColumnOrder order) {
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t i = row * size + 1; i < (row + 1) * size; ++i) matrix[i] += matrix[i - 1];
  }
  if (order == ColumnOrder::Transposed) matrix = transposed(matrix, size);
  const std::size_t step = order == ColumnOrder::RowMajor ? size : 1;
  const std::size_t column = order == ColumnOrder::RowMajor ? 1 : size;
  std::int32_t best = 0;
  for (std::size_t g = 0; g < size; ++g) {
    const std::int32_t* const left = g == 0 ? nullptr : matrix.data() + (g - 1) * column;
    for (std::size_t h = g; h < size; ++h) {
      best = std::max(best, best_between(left, matrix.data() + h * column, size, step));
    }
  }
  return best;
}

}  // namespace gpuhmm::experiment::maximum
