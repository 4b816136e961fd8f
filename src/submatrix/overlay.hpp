// A picture of a matrix with the rectangles found in it.
#pragma once

#include <string>
#include <vector>

#include "submatrix/matrix.hpp"

namespace gpuhmm {

/// What is to be drawn. Values are shown in grey from the smallest, black, to the largest, white; cells
/// barred from the start (those that a sheared dot plot does not have) in pale blue. Matrices of more than
/// 1,600 rows or columns are averaged to at most so many; an empty one is a
/// single pale cell.
struct Overlay {
  const Matrix& matrix;
  const std::vector<Pattern>& patterns;
  std::vector<std::string> labels;  ///< of the patterns, for the tooltips of an SVG
};

/// The bytes of a PNG file: small matrices enlarged so that a cell has several pixels, frames in colour
/// around the rectangles.
std::string overlay_png(const Overlay& overlay);

/// The bytes of an SVG file: the matrix as an embedded PNG, frames with their rank and a tooltip.
std::string overlay_svg(const Overlay& overlay);

}  // namespace gpuhmm
