// A picture of a matrix with the rectangles found in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "companion/submatrix/matrix.hpp"

namespace gpuhmm {

/// How the rows or columns of a picture are counted.
struct OverlayAxis {
  std::string title;
  std::int64_t first = 0;  ///< the number of the first one
};

/// What is to be drawn. Values are shown in grey from the smallest to the largest, in a scale beside the
/// matrix; cells barred from the start (those that a sheared dot plot does not have) are hatched. Matrices of
/// more cells than the picture shows are averaged.
struct Overlay {
  const Matrix& matrix;
  const std::vector<Pattern>& patterns;
  std::vector<std::string> labels;  ///< of the patterns, for the tooltips of an SVG
  std::string title;
  std::string subtitle;
  OverlayAxis rows{"Row", 0}, columns{"Column", 0};
  std::string value_title = "Value";
  double unit = 1;                ///< what 1 in the matrix is worth
  bool high_is_dark = false;      ///< black is the largest value, not the smallest
  std::vector<std::string> keys;  ///< the patterns in a few words, for the legend
  std::string reason_for_none;    ///< why there are no patterns
};

/// The bytes of a PNG file.
std::string overlay_png(const Overlay& overlay);

/// The bytes of an SVG file: the matrix as an embedded PNG, frames with their rank and a tooltip.
std::string overlay_svg(const Overlay& overlay);

}  // namespace gpuhmm
