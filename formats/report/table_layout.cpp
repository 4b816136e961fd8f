// Formats the cells and lines of tables.
#include "formats/report/table_layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "formats/sequence/text.hpp"
#include "util/format.hpp"

namespace gpuhmm {
namespace {

bool is_left_justified(CellKind kind) { return kind != CellKind::Number; }

/// The captions above groups of columns, between dashes: `--- full sequence ----`.
std::string group_line(std::span<const Column> columns, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0; c < columns.size();) {
    std::size_t width = widths[c];
    std::size_t end = c + 1;
    const char* group = columns[c].group;
    for (; group && end < columns.size() && columns[end].group == group; ++end) width += 1 + widths[end];
    std::string caption;
    if (group) {
      const std::string text = std::string(" ") + group + " ";
      const std::size_t dashes = width - std::min(width, text.size());
      caption = std::string(dashes / 2, '-') + text + std::string(dashes - dashes / 2, '-');
    }
    if (c > 0) line += ' ';
    line += pad_right(caption, width);
    c = end;
  }
  line.front() = '#';
  return line.erase(line.find_last_not_of(' ') + 1);
}

void append_joined_by_tabs(std::string& text, const std::vector<std::string>& cells) {
  text += cells.front();
  for (std::size_t c = 1; c < cells.size(); ++c) text.append("\t").append(cells[c]);
  text += '\n';
}

}  // namespace

std::string table_sentence(std::string_view text) {
  if (text::blank(text)) return "-";
  std::string clean(text);
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return clean;
}

void TableRow::name(std::string_view text) {
  std::string clean(text::blank(text) ? "-" : text);
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') c = '_';
  }
  if (clean.front() == '#') clean.front() = '_';
  cells_.push_back(std::move(clean));
}

void TableRow::evalue(double value) {
  cells_.push_back(layout_ == TableLayout::Padded ? format("%.2g", value) : format("%.6g", value));
}

void TableRow::score(float value) {
  if (layout_ == TableLayout::Padded) {
    cells_.push_back(format("%.1f", value));
    return;
  }
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  cells_.emplace_back(text.data(), end.ptr);
}

void TableRow::accuracy(double value) { cells_.push_back(format("%.2f", value)); }

void TableRow::parameter(float value) { cells_.push_back(format("%.6f", value)); }

std::vector<std::size_t> column_widths(std::span<const Column> columns, const std::vector<TableRow>& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::size_t width = columns[c].width;
    if (columns[c].kind == CellKind::Name) {
      for (const TableRow& row : rows) width = std::max(width, row.cells()[c].size());
    }
    widths.push_back(width);
  }
  return widths;
}

std::string padded_head(std::span<const Column> columns, const std::vector<std::size_t>& widths) {
  std::string headings, rules;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string separator = c == 0 ? "" : " ";
    const bool last = c + 1 == columns.size();
    headings += separator + (last                                 ? std::string(columns[c].heading)
                             : is_left_justified(columns[c].kind) ? pad_right(columns[c].heading, widths[c])
                                                                  : pad_left(columns[c].heading, widths[c]));
    rules += separator + std::string(widths[c], '-');
  }
  rules.front() = '#';
  return group_line(columns, widths) + "\n" + headings + "\n" + rules + "\n";
}

std::string tabbed_head(std::span<const Column> columns) {
  std::vector<std::string> keys;
  for (const Column& column : columns) keys.emplace_back(column.key);
  std::string head;
  append_joined_by_tabs(head, keys);
  return head;
}

void append_padded_line(std::string& text, std::span<const Column> columns,
                        const std::vector<std::size_t>& widths, const TableRow& row) {
  const std::vector<std::string>& cells = row.cells();
  for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
    if (is_left_justified(columns[c].kind)) {
      append_padded(text, cells[c], widths[c]);
    } else {
      text += pad_left(cells[c], widths[c]);
    }
    text += ' ';
  }
  text += cells.back();
  text += '\n';
}

void append_tabbed_line(std::string& text, const TableRow& row) { append_joined_by_tabs(text, row.cells()); }

}  // namespace gpuhmm
