// Random matrices for tests of submatrix, and a brute-force search by the definition.
#pragma once

#include <cstdint>
#include <limits>
#include <ostream>
#include <random>

#include "companion/submatrix/matrix.hpp"
#include "companion/submatrix/search.hpp"

namespace gpuhmm {

// Prints a rectangle, for the messages of failed tests.
inline void PrintTo(const Pattern& pattern, std::ostream* out) {
  *out << "sum " << to_string(pattern.sum) << ", rows " << pattern.where.top << "-" << pattern.where.bottom
       << ", columns " << pattern.where.left << "-" << pattern.where.right;
}

inline bool operator==(const Pattern& a, const Pattern& b) { return a.sum == b.sum && a.where == b.where; }

// Prints a shape, for the messages of failed tests.
inline void PrintTo(const WalkTile& shape, std::ostream* out) {
  *out << shape.item_g << " x " << shape.item_h << " in " << shape.group_g << " x " << shape.group_h;
}

namespace testing {

inline Matrix matrix_of(std::size_t rows, std::size_t columns, std::vector<std::int64_t> values) {
  return {rows, columns, std::move(values), {}};
}

/// A matrix of values uniform in [low, high].
inline Matrix random_matrix(std::mt19937_64& random, std::size_t rows, std::size_t columns, std::int64_t low,
                            std::int64_t high) {
  Matrix matrix{rows, columns, std::vector<std::int64_t>(rows * columns), {}};
  std::uniform_int_distribution<std::int64_t> value(low, high);
  for (std::int64_t& v : matrix.values) v = value(random);
  return matrix;
}

/// A matrix of -9 with scattered cells of 0 and isolated cells of 7, so that many rectangles have the same
/// sum.
inline Matrix island_matrix(std::mt19937_64& random, std::size_t rows, std::size_t columns) {
  Matrix matrix{rows, columns, std::vector<std::int64_t>(rows * columns, -9), {}};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const bool island = row % 3 == 1 && column % 3 == 1 && random() % 2 == 0;
      if (island || random() % 8 == 0) matrix.values[matrix.cell(row, column)] = island ? 7 : 0;
    }
  }
  return matrix;
}

/// 6 x 5 cells, each the largest or the smallest value of 64 bits, or 0.
inline Matrix extreme_matrix(std::mt19937_64& random) {
  Matrix matrix = random_matrix(random, 6, 5, -1, 1);
  for (std::int64_t& value : matrix.values) {
    if (value > 0) value = std::numeric_limits<std::int64_t>::max();
    if (value < 0) value = std::numeric_limits<std::int64_t>::min();
  }
  return matrix;
}

/// Bars each cell with the given probability.
inline void bar_some(std::mt19937_64& random, Matrix& matrix, double probability) {
  std::bernoulli_distribution barred(probability);
  matrix.barred.resize(matrix.values.size());
  for (std::uint8_t& b : matrix.barred) b = barred(random) ? 1 : 0;
}

/// The result of best_submatrix without devices.
inline Pattern best_on_host(const Matrix& matrix, unsigned threads = 1) {
  SubmatrixOptions options;
  options.threads = threads;
  return best_submatrix(matrix, options);
}

/// The best rectangle by trying all, cell by cell.
inline Pattern brute_force(const Matrix& matrix, Preference preference = Preference::Topmost) {
  const auto is_before = [preference](const Rectangle& a, const Rectangle& b) {
    return preference == Preference::Topmost ? a < b : a.ends_before(b);
  };
  Pattern best;
  for (std::size_t top = 0; top < matrix.rows; ++top) {
    for (std::size_t left = 0; left < matrix.columns; ++left) {
      for (std::size_t bottom = top; bottom < matrix.rows; ++bottom) {
        for (std::size_t right = left; right < matrix.columns; ++right) {
          Int128 sum = 0;
          bool open = true;
          for (std::size_t row = top; row <= bottom; ++row) {
            for (std::size_t column = left; column <= right; ++column) {
              sum += matrix.values[matrix.cell(row, column)];
              open = open && !matrix.is_barred(matrix.cell(row, column));
            }
          }
          const Rectangle where{top, left, bottom, right};
          if (open && (sum > best.sum || (sum > 0 && sum == best.sum && is_before(where, best.where)))) {
            best = {sum, where};
          }
        }
      }
    }
  }
  return best;
}

}  // namespace testing
}  // namespace gpuhmm
