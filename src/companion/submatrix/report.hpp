// Writes the rectangles found as tables and JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "companion/submatrix/units.hpp"

namespace gpuhmm {

/// The two proteins of a dot plot.
struct DotPlotSource {
  std::string name_a, name_b;
  std::size_t size_a = 0;  ///< residues
  bool sheared = false;
  std::string scores;  ///< the name of the substitution matrix
};

/// The result of a search with its input. docs/submatrix.md describes the columns and keys of its output.
struct SubmatrixReport {
  std::string input;  ///< as the user named it
  std::size_t rows = 0, columns = 0;
  Unit unit;
  std::optional<std::string> shift;   ///< as the user gave it
  Int128 subtracted = 0;              ///< from every cell, in units
  std::optional<DotPlotSource> plot;  ///< set if the matrix is a dot plot
  bool all = false;                   ///< the patterns are all maximal submatrices
  std::optional<std::string> least;   ///< the smallest sum listed, as the user gave it
  std::vector<Pattern> patterns;      ///< best first
};

/// A table: remarks, which begin with #, a line of column names, and a tab-separated line for each rectangle.
std::string submatrix_table(const SubmatrixReport& report);
/// A JSON object for each rectangle, one a line.
std::string submatrix_json(const SubmatrixReport& report);
/// Why there is no rectangle.
std::string reason_for_none(const SubmatrixReport& report);
/// A line of text about each rectangle, for tooltips.
std::vector<std::string> submatrix_labels(const SubmatrixReport& report);

}  // namespace gpuhmm
