// Titles, axes and legend of a picture.
#include "companion/submatrix/figure.hpp"

#include <filesystem>

#include "companion/submatrix/dot_plot.hpp"

namespace gpuhmm {

namespace {

constexpr const char* kTimes = " \xC3\x97 ";
constexpr const char* kMinus = "\xE2\x88\x92";

template <class Integer>
std::string range_text(Integer first, Integer last) {
  const auto number = [](Integer value) {
    const std::string text = std::to_string(value);
    return text.front() == '-' ? kMinus + text.substr(1) : text;
  };
  if (first == last) return number(first);
  return number(first) + (first < 0 ? " to " : "\xE2\x80\x93") + number(last);
}

std::string key_of(const SubmatrixReport& report, const Pattern& pattern) {
  const Rectangle& where = pattern.where;
  const std::string sum = ", sum " + report.unit.text(pattern.sum);
  if (!report.plot) {
    return "rows " + range_text(where.top, where.bottom) + ", columns " +
           range_text(where.left, where.right) + sum;
  }
  const bool sheared = report.plot->sheared;
  const DotPlotMatch match = sheared ? sheared_match_of(where, report.plot->size_a) : match_of(where);
  const std::string diagonals = range_text(match.first_diagonal, match.last_diagonal);
  return "A " + range_text(match.first_a, match.last_a) + ", B " + range_text(match.first_b, match.last_b) +
         (sheared ? ", diagonal " + diagonals : "") + sum;
}

}  // namespace

Overlay figure_of(const SubmatrixReport& report, const Matrix& matrix) {
  Overlay figure{matrix, report.patterns,        submatrix_labels(report), {}, {}, {}, {}, {}, 1, false,
                 {},     reason_for_none(report)};
  const std::string shift =
      report.shift ? "; shift " + *report.shift + ", " + report.unit.text(report.subtracted) + " subtracted"
                   : "";
  const char* const less = report.shift ? " less shift" : "";
  if (report.plot) {
    const DotPlotSource& plot = *report.plot;
    const std::size_t size_b =
        plot.sheared && report.columns > 0 ? report.columns + 1 - plot.size_a : report.columns;
    figure.title = plot.name_a + kTimes + plot.name_b;
    figure.subtitle =
        std::to_string(plot.size_a) + kTimes + std::to_string(size_b) + " residues, " + plot.scores + shift;
    figure.rows = {"A: residue of " + plot.name_a, 1};
    figure.columns = {"B: residue of " + plot.name_b, 1};
    if (plot.sheared) {
      figure.columns = {std::string("Diagonal: position in B ") + kMinus + " position in A",
                        1 - static_cast<std::int64_t>(plot.size_a)};
    }
    figure.value_title = std::string("Score") + less;
    figure.high_is_dark = true;
  } else {
    figure.title = std::filesystem::path(report.input).filename().string();
    figure.subtitle =
        std::to_string(report.rows) + " rows" + kTimes + std::to_string(report.columns) + " columns" + shift;
    figure.rows = {"Row", 0};
    figure.columns = {"Column", 0};
    figure.value_title = std::string("Value") + less;
  }
  figure.unit = report.unit.value();
  for (const Pattern& pattern : report.patterns) figure.keys.push_back(key_of(report, pattern));
  return figure;
}

}  // namespace gpuhmm
