// The matrix of substitution scores between two proteins, straight or sheared.
#pragma once

#include <cstddef>
#include <string_view>

#include "companion/submatrix/matrix.hpp"
#include "gpuhmm/build.hpp"

namespace gpuhmm {

/// The most cells of a dot plot (docs/limits.md).
inline constexpr std::size_t kMostDotPlotCells = std::size_t{1} << 30;

/// Row i, column j: the score of residue i of `a` with residue j of `b`. Throws std::length_error
/// for more than kMostDotPlotCells, as sheared_dot_plot.
Matrix dot_plot(std::string_view a, std::string_view b, const SubstitutionMatrix& scores);

/// The same sheared, so that diagonals become columns: row i, column d: the score of residue i of `a` with
/// residue j = i + d - (a.size() - 1) of `b`; barred where `b` has no such residue. A rectangle is a stretch
/// of `a` against a band of diagonals.
Matrix sheared_dot_plot(std::string_view a, std::string_view b, const SubstitutionMatrix& scores);

/// What a rectangle of a dot plot says: residues count from 1, ends included.
struct DotPlotMatch {
  std::size_t first_a, last_a, first_b, last_b;
  /// Diagonals j - i; the band of a sheared plot.
  std::ptrdiff_t first_diagonal, last_diagonal;
};

/// Of a straight plot: the diagonals are those of its corners.
DotPlotMatch match_of(const Rectangle& where);
/// Of a plot sheared for an `a` of `size` residues.
DotPlotMatch sheared_match_of(const Rectangle& where, std::size_t size);

}  // namespace gpuhmm
