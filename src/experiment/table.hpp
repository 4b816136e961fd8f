// A table of an experiment: settings, figures of the publication and figures measured now, side by side.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/spread.hpp"

namespace gpuhmm::experiment {

/// The source of a column's entries.
enum class Origin {
  Setting,    ///< property of the row: a size, a profile, a variant
  Published,  ///< printed in the publication
  Measured,   ///< measured by this run
  Derived     ///< computed from measured entries
};

/// The name of an origin: "setting", "published", "measured" or "derived".
const char* origin_name(Origin origin);

/// One column.
struct Column {
  std::string name;
  std::string unit = {};  ///< "ms", "s", "GCUPS"; empty for text and plain numbers
  Origin origin = Origin::Setting;
};

/// One entry: a number, a text, or the reason why there is no number.
class Cell {
 public:
  Cell(double number) : number_(number) {}
  Cell(const Spread& spread) : number_(spread.median), spread_(spread) {}
  Cell(std::string text) : text_(std::move(text)) {}
  Cell(const char* text) : text_(text) {}
  /// A cell without a number, for `reason`: "needs 65,536 bytes of local memory; the device has 32,768".
  static Cell absent(const std::string& reason);

  bool is_absent() const { return absent_; }
  /// The number; of repeated measurements the median.
  const std::optional<double>& number() const { return number_; }
  const std::optional<Spread>& spread() const { return spread_; }
  /// The text, or the reason of an absent number.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::optional<double> number_;
  std::optional<Spread> spread_;
  bool absent_ = false;
};

/// How a table is plotted.
struct PlotStyle {
  enum class Kind { Lines, Bars };
  Kind kind = Kind::Bars;
  /// Lines: the column of the numbers along the level axis. Bars: the column of the groups' names.
  std::size_t along = 0;
  /// The columns that are drawn, all in one unit; if empty, all with the unit of the first measured column.
  std::vector<std::size_t> series = {};
  bool log_level = false;    ///< a logarithmic level axis (lines only)
  bool log_upright = false;  ///< a logarithmic upright axis
};

/// A table; each row has as many cells as there are columns.
struct Table {
  std::string id;     ///< as in the publication: "8.1"; a word for other tables
  std::string title;  ///< one line
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows = {};
  std::vector<std::string> notes = {};  ///< what times include, differences from the publication
  PlotStyle plot = {};
};

}  // namespace gpuhmm::experiment
