// Layout of tables of hits and of profiles: columns, text of cells, padded and tab-separated lines. Internal
// to the report writers; tables.cpp and hmmer3_tables.cpp fill them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/tables.hpp"

namespace gpuhmm {

/// The content of a cell, which decides its width and alignment.
enum class CellKind { Name, Description, Number };

/// A column of a table.
struct Column {
  const char* heading;  ///< in the padded layout
  const char* key;      ///< in the tab-separated layout
  CellKind kind;
  std::size_t width;  ///< smallest width in the padded layout
  const char* group;  ///< caption above this and the following columns of the same group; null = none
};

/// The columns of tables of hits, whatever answered (table_columns.cpp).
std::span<const Column> columns_of(TableContent content);

/// A description without characters that end a line or a column; "-" if empty.
std::string table_sentence(std::string_view text);

/// Makes the cells of one row.
class TableRow {
 public:
  explicit TableRow(TableLayout layout) : layout_(layout) {}

  /// One word: white space, control characters and a leading '#' (a comment mark) become '_'; "-" if empty.
  void name(std::string_view text);
  void description(std::string_view text) { cells_.push_back(table_sentence(text)); }
  void integer(std::int64_t value) { cells_.push_back(std::to_string(value)); }
  /// Two significant digits; six in the tab-separated layout.
  void evalue(double value);
  /// Bits: one decimal; all digits of the float in the tab-separated layout.
  void score(float value);
  /// Two decimals.
  void accuracy(double value);
  /// Parameter of a distribution: six decimals, as in profile files.
  void parameter(float value);
  /// "-" for a missing value.
  void absent() { cells_.emplace_back("-"); }

  const std::vector<std::string>& cells() const { return cells_; }

 private:
  TableLayout layout_;
  std::vector<std::string> cells_;
};

/// Widths of the padded layout: names get the width of the longest in `rows`, numbers their usual width.
std::vector<std::size_t> column_widths(std::span<const Column> columns, const std::vector<TableRow>& rows);

/// The lines above the rows.
std::string padded_head(std::span<const Column> columns, const std::vector<std::size_t>& widths);
std::string tabbed_head(std::span<const Column> columns);

/// Appends the line of a row.
void append_padded_line(std::string& text, std::span<const Column> columns,
                        const std::vector<std::size_t>& widths, const TableRow& row);
void append_tabbed_line(std::string& text, const TableRow& row);

}  // namespace gpuhmm
