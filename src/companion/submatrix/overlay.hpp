// Draws a matrix and the rectangles found in it as PNG or SVG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// Title and numbering of the rows or columns of a picture.
struct OverlayAxis {
  std::string title;
  std::int64_t first = 0;  ///< number of the first row or column
};

/// The content of a picture. Values are drawn in grey, with a scale beside the matrix. Barred cells (those
/// outside a sheared dot plot) are hatched. If the matrix has more cells than the picture has pixels, pixels
/// show means.
struct Overlay {
  const Matrix& matrix;
  const std::vector<Pattern>& patterns;
  std::vector<std::string> labels;  ///< tooltips of the patterns in an SVG
  std::string title;
  std::string subtitle;
  OverlayAxis rows{"Row", 0}, columns{"Column", 0};
  std::string value_title = "Value";
  double unit = 1;                ///< value of 1 in the matrix
  bool high_is_dark = false;      ///< black is the largest value, not the smallest
  std::vector<std::string> keys;  ///< short descriptions of the patterns, for the legend
  std::string reason_for_none;    ///< why there are no patterns
};

/// Draws the picture as the bytes of a PNG file.
std::string overlay_png(const Overlay& overlay);

/// Draws the picture as the text of an SVG file: the matrix as an embedded PNG, frames with rank and tooltip.
std::string overlay_svg(const Overlay& overlay);

}  // namespace gpuhmm
