// The rectangles found as tables and JSON.
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

/// What there is to report; the columns and keys are described in docs/submatrix.md.
struct SubmatrixReport {
  std::string input;  ///< as the user named it
  std::size_t rows = 0, columns = 0;
  Unit unit;
  std::optional<std::string> shift;   ///< as the user gave it
  Int128 subtracted = 0;              ///< in units
  std::optional<DotPlotSource> plot;  ///< if the matrix is a dot plot
  bool all = false;                   ///< all maximal submatrices were asked for
  std::optional<std::string> least;   ///< the smallest sum, as the user gave it
  std::vector<Pattern> patterns;      ///< best first
};

/// Remarks (#), a line of column names, then tab-separated a line for each rectangle.
std::string submatrix_table(const SubmatrixReport& report);
/// A JSON object for each rectangle, one a line.
std::string submatrix_json(const SubmatrixReport& report);
/// Why there is no rectangle.
std::string reason_for_none(const SubmatrixReport& report);
/// One line about each rectangle, for people.
std::vector<std::string> submatrix_labels(const SubmatrixReport& report);

}  // namespace gpuhmm
