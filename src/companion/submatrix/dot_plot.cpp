// Fills dot plots, and converts their rectangles to residues.
#include "companion/submatrix/dot_plot.hpp"

#include <stdexcept>
#include <string>

namespace gpuhmm {

namespace {

void check_cells(std::size_t rows, std::size_t columns) {
  if (columns == 0 || rows <= kMostDotPlotCells / columns) return;
  throw std::length_error("a dot plot of " + std::to_string(rows) + " x " + std::to_string(columns) +
                          " cells; expected at most " + std::to_string(kMostDotPlotCells));
}

}  // namespace

Matrix dot_plot(std::string_view a, std::string_view b, const SubstitutionMatrix& scores) {
  check_cells(a.size(), b.size());
  Matrix matrix{a.size(), b.size(), std::vector<std::int64_t>(a.size() * b.size()), {}};
  std::size_t index = 0;
  for (const char x : a) {
    for (const char y : b) matrix.values[index++] = scores.score(x, y);
  }
  return matrix;
}

Matrix sheared_dot_plot(std::string_view a, std::string_view b, const SubstitutionMatrix& scores) {
  if (a.empty() || b.empty()) return {};
  check_cells(a.size(), a.size() + b.size() - 1);
  Matrix matrix{a.size(), a.size() + b.size() - 1, {}, {}};
  matrix.values.resize(matrix.rows * matrix.columns);
  matrix.barred.assign(matrix.values.size(), 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t first = matrix.cell(i, a.size() - 1 - i);
    for (std::size_t j = 0; j < b.size(); ++j) {
      matrix.values[first + j] = scores.score(a[i], b[j]);
      matrix.barred[first + j] = 0;
    }
  }
  return matrix;
}

DotPlotMatch match_of(const Rectangle& where) {
  return {where.top + 1,
          where.bottom + 1,
          where.left + 1,
          where.right + 1,
          static_cast<std::ptrdiff_t>(where.left) - static_cast<std::ptrdiff_t>(where.bottom),
          static_cast<std::ptrdiff_t>(where.right) - static_cast<std::ptrdiff_t>(where.top)};
}

DotPlotMatch sheared_match_of(const Rectangle& where, std::size_t size) {
  const auto shift = static_cast<std::ptrdiff_t>(size) - 1;
  const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(where.left) - shift;
  const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(where.right) - shift;
  const auto residue = [](std::size_t row, std::ptrdiff_t diagonal) {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(row) + diagonal) + 1;
  };
  return {where.top + 1, where.bottom + 1, residue(where.top, first), residue(where.bottom, last), first,
          last};
}

}  // namespace gpuhmm
