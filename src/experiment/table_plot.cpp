// Draws lines and bars with axes and a legend.
#include "experiment/table_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "formats/drawing/axis.hpp"
#include "formats/drawing/svg_canvas.hpp"

namespace gpuhmm::experiment {

namespace {

// Sizes in units of the picture.
constexpr double kWidth = 760, kAreaHeight = 300, kMargin = 14, kTop = 40, kLegendLine = 18, kSample = 26;
constexpr double kGroupLabelHeight = 14, kMostBarWidth = 40;
constexpr std::size_t kLongestName = 16;
constexpr TextStyle kPlain{}, kHeading{14, Anchor::Start, true, false},
    kMiddle{12, Anchor::Middle, false, false};
constexpr TextStyle kGroup{10, Anchor::Middle, false, false}, kTurned{10, Anchor::End, false, true};
// Alternately dark and light, so that neighbours differ in grey.
constexpr std::array<Colour, 8> kColours{{{0, 62, 116},
                                          {213, 94, 0},
                                          {0, 120, 90},
                                          {120, 170, 215},
                                          {130, 40, 100},
                                          {230, 170, 60},
                                          {70, 70, 70},
                                          {150, 200, 150}}};

struct Series {
  std::size_t column;
  Colour colour;
  bool published;
};

const std::string& unit_of(const Table& table) {
  for (const Column& column : table.columns) {
    if (column.origin == Origin::Measured) return column.unit;
  }
  return table.columns.back().unit;
}

std::vector<Series> series_of(const Table& table) {
  std::vector<std::size_t> columns = table.plot.series;
  if (columns.empty()) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const bool is_setting = table.columns[i].origin == Origin::Setting || i == table.plot.along;
      if (!is_setting && table.columns[i].unit == unit_of(table)) columns.push_back(i);
    }
  }
  std::vector<Series> series;
  for (const std::size_t column : columns) {
    series.push_back({column, kColours[series.size() % kColours.size()],
                      table.columns[column].origin == Origin::Published});
  }
  return series;
}

bool is_drawn(const std::optional<double>& number, bool logarithmic) {
  return number && std::isfinite(*number) && (!logarithmic || *number > 0);
}

// The range of an axis: from 0, or the least number on a logarithmic axis, to the greatest, with a margin.
std::optional<Axis> axis_of(const Table& table, std::span<const std::size_t> columns, bool logarithmic,
                            bool from_zero, std::string title) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::vector<Cell>& row : table.rows) {
    for (const std::size_t column : columns) {
      const std::optional<double>& number = row[column].number();
      if (!is_drawn(number, logarithmic)) continue;
      low = std::min(low, *number);
      high = std::max(high, *number);
    }
  }
  if (low > high) return std::nullopt;
  if (from_zero && !logarithmic) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0) * 1.05;
  }
  if (from_zero && logarithmic) {
    low *= 0.8;
    high *= 1.25;
  }
  if (low == high) high = low + 1;
  Axis axis;
  axis.title = std::move(title);
  axis.low = low;
  axis.high = high;
  axis.logarithmic = logarithmic;
  return axis;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " (" + unit + ")";
}

class Plot {
 public:
  explicit Plot(const Table& table) : table_(table), series_(series_of(table)) {}

  std::string draw() {
    std::vector<std::size_t> columns;
    for (const Series& one : series_) columns.push_back(one.column);
    const std::optional<Axis> upright =
        axis_of(table_, columns, table_.plot.log_upright, true, with_unit("", unit_of(table_)));
    const double top = kTop + kLegendLine * static_cast<double>(legend_lines().size());
    const double below = lines() ? kLevelAxisHeight : kGroupLabelHeight + label_height();
    SvgCanvas canvas(kWidth, top + kAreaHeight + below + kMargin, "Table " + table_.id + ": " + table_.title,
                     "Published and measured figures of the table.");
    canvas.text(kMargin, 22,
                canvas.fitted("Table " + table_.id + ": " + table_.title, kHeading, kWidth - 2 * kMargin),
                kHeading);
    draw_legend(canvas);
    Box area{kMargin + 60, top, kWidth - kMargin - 10, top + kAreaHeight};
    if (upright) {
      upright_ = *upright;
      upright_.title = unit_of(table_);
      area.left = kMargin + upright_axis_width(canvas, upright_, kAreaHeight);
      lines() ? draw_lines(canvas, area) : draw_bars(canvas, area);
      draw_upright_axis(canvas, upright_, area, false);
    } else {
      canvas.text((area.left + area.right) / 2, (area.top + area.bottom) / 2, "no numbers", kMiddle);
    }
    canvas.outline(area, {});
    return canvas.svg();
  }

 private:
  bool lines() const { return table_.plot.kind == PlotStyle::Kind::Lines; }
  double y_of(double value, const Box& area) const {
    return place_on(upright_, value, area.bottom, area.top);
  }

  static std::string cell_name(const Cell& cell) {
    if (!cell.number()) return cell.text();
    std::string text = std::to_string(*cell.number());
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }
  // Draws names vertically if there are more than a few groups.
  bool turned() const {
    std::size_t longest = 0;
    for (const auto& row : table_.rows) longest = std::max(longest, cell_name(row[table_.plot.along]).size());
    return longest * 7 * table_.rows.size() > 600;
  }
  double label_height() const { return turned() ? static_cast<double>(kLongestName) * 6 : 8; }

  // The series in each line of the legend.
  std::vector<std::vector<Series>> legend_lines() const {
    const SvgCanvas measure(0, 0, "", "");
    std::vector<std::vector<Series>> lines;
    double x = kWidth;
    for (const Series& one : series_) {
      const double width = entry_width(measure, one);
      if (x + width > kWidth - 2 * kMargin) {
        lines.emplace_back();
        x = 0;
      }
      lines.back().push_back(one);
      x += width;
    }
    return lines;
  }
  std::string entry_text(const Series& one) const {
    return table_.columns[one.column].name + (one.published ? " (published)" : "");
  }
  double entry_width(const Canvas& canvas, const Series& one) const {
    return kSample + 6 + canvas.width_of(entry_text(one), kPlain) + 20;
  }

  static void draw_face(SvgCanvas& canvas, const Box& box, const Series& one) {
    canvas.face(box, one.published ? kWhite : one.colour);
    if (one.published) canvas.hatch(box);
    canvas.outline(box, {one.colour, 1, false});
  }

  void draw_legend(SvgCanvas& canvas) const {
    canvas.begin_group("legend", "");
    double base = kTop;
    for (const std::vector<Series>& line : legend_lines()) {
      double x = kMargin;
      for (const Series& one : line) {
        if (lines()) {
          canvas.line(x, base - 4, x + kSample, base - 4, {one.colour, 2, one.published});
        } else {
          draw_face(canvas, {x, base - 11, x + kSample, base}, one);
        }
        canvas.text(x + kSample + 6, base, entry_text(one), kPlain);
        x += entry_width(canvas, one);
      }
      base += kLegendLine;
    }
    canvas.end_group();
  }

  void draw_lines(SvgCanvas& canvas, const Box& area) const {
    const Column& along = table_.columns[table_.plot.along];
    const std::array<std::size_t, 1> columns{table_.plot.along};
    const std::optional<Axis> level =
        axis_of(table_, columns, table_.plot.log_level, false, with_unit(along.name, along.unit));
    if (!level) return;
    for (const Series& one : series_) {
      std::vector<std::pair<double, double>> points;
      for (const std::vector<Cell>& row : table_.rows) {
        const std::optional<double>& x = row[table_.plot.along].number();
        const std::optional<double>& y = row[one.column].number();
        if (!is_drawn(x, level->logarithmic) || !is_drawn(y, upright_.logarithmic)) continue;
        points.emplace_back(place_on(*level, *x, area.left, area.right), y_of(*y, area));
      }
      canvas.begin_group("series", table_.columns[one.column].name);
      canvas.curve(points, {one.colour, 1.6, one.published});
      for (const auto& [x, y] : points) draw_face(canvas, {x - 3, y - 3, x + 3, y + 3}, one);
      canvas.end_group();
    }
    draw_level_axis(canvas, *level, area);
  }

  void draw_bars(SvgCanvas& canvas, const Box& area) const {
    const double group = area.width() / static_cast<double>(std::max<std::size_t>(table_.rows.size(), 1));
    const double bar = std::min(kMostBarWidth, group * 0.8 / static_cast<double>(series_.size()));
    const double floor = upright_.logarithmic ? upright_.low : 0;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const double middle = area.left + group * (static_cast<double>(i) + 0.5);
      double x = middle - bar * static_cast<double>(series_.size()) / 2;
      for (const Series& one : series_) {
        const std::optional<double>& number = table_.rows[i][one.column].number();
        if (is_drawn(number, upright_.logarithmic)) {
          const double a = y_of(*number, area), b = y_of(floor, area);
          draw_face(canvas, {x, std::min(a, b), x + bar, std::max(a, b)}, one);
        }
        x += bar;
      }
      const std::string name = cell_name(table_.rows[i][table_.plot.along]);
      if (turned()) {
        canvas.text(middle + 4, area.bottom + 6, canvas.fitted(name, kTurned, label_height()), kTurned);
      } else {
        canvas.text(middle, area.bottom + kGroupLabelHeight, canvas.fitted(name, kGroup, group), kGroup);
      }
    }
  }

  const Table& table_;
  std::vector<Series> series_;
  Axis upright_;
};

}  // namespace

std::string table_plot(const Table& table) { return Plot(table).draw(); }

}  // namespace gpuhmm::experiment
