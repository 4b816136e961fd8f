// Dot plots: the matrix of substitution scores between two proteins, straight or sheared.
#pragma once

#include <cstddef>
#include <string_view>

#include "companion/submatrix/matrix.hpp"
#include "gpuhmm/build.hpp"

namespace gpuhmm {

/// The largest number of cells of a dot plot (docs/limits.md).
inline constexpr std::size_t kMostDotPlotCells = std::size_t{1} << 30;

/// The dot plot of `a` and `b`: row i, column j has the score of residue i of `a` with residue j of `b`.
/// Throws std::length_error for more than kMostDotPlotCells cells.
Matrix dot_plot(std::string_view a, std::string_view b, const SubstitutionMatrix& scores);

/// The dot plot sheared so that diagonals become columns: row i, column d has the score of residue i of `a`
/// with residue j = i + d - (a.size() - 1) of `b`. Cells for which `b` has no such residue are barred. A
/// rectangle is a stretch of `a` within a band of diagonals. Throws std::length_error, as dot_plot.
Matrix sheared_dot_plot(std::string_view a, std::string_view b, const SubstitutionMatrix& scores);

/// A rectangle of a dot plot in terms of the proteins. Residues count from 1, ends included.
struct DotPlotMatch {
  std::size_t first_a, last_a, first_b, last_b;
  /// Diagonals j - i, ends included.
  std::ptrdiff_t first_diagonal, last_diagonal;
};

/// The match of a rectangle of a straight dot plot. Its diagonals are those of the lower left and upper right
/// corner.
DotPlotMatch match_of(const Rectangle& where);
/// The match of a rectangle of a sheared dot plot whose protein `a` has `size` residues.
DotPlotMatch sheared_match_of(const Rectangle& where, std::size_t size);

}  // namespace gpuhmm
