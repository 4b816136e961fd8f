// Drawing of hydropathy profiles; see the header.
#include "formats/regions/hydropathy_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>

namespace gpuhmm {

namespace {

// Sizes in SVG user units.
constexpr double kWidth = 960, kPanelHeight = 180, kLeft = 56, kRight = 16, kTop = 26, kBottom = 28;

[[gnu::format(printf, 1, 2)]] std::string drawn(const char* pattern, ...) {
  std::array<char, 512> text;
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(text.data(), text.size(), pattern, values);
  va_end(values);
  return text.data();
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

// The distance of 1, 2 or 5 times a power of ten that parts `range` in at most about ten.
double tick_distance(double range) {
  const double power = std::pow(10.0, std::floor(std::log10(range / 10)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range / (power * factor) <= 10) return power * factor;
  }
  return power * 10;
}

}  // namespace

std::vector<double> window_means(std::span<const std::int32_t> values, std::size_t window) {
  std::vector<double> means;
  window = std::min(window, values.size());
  if (window == 0) return means;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    if (i >= window) sum -= values[i - window];
    if (i + 1 >= window) means.push_back(static_cast<double>(sum) / static_cast<double>(window));
  }
  return means;
}

HydropathyPlot::HydropathyPlot(HydropathyPlotStyle style) : style_(std::move(style)) {}

void HydropathyPlot::add(std::string_view name, std::span<const std::int32_t> values,
                         std::span<const ScoredRegion> regions) {
  if (panels_.size() == kMostPanels) {
    throw std::length_error("a plot holds at most " + std::to_string(kMostPanels) + " sequences");
  }
  std::vector<double> means = window_means(values, style_.window);
  const double unit = std::pow(10.0, -style_.decimals);
  double low = style_.shift, high = style_.shift;
  for (double& mean : means) {
    mean *= unit;
    low = std::min(low, mean);
    high = std::max(high, mean);
  }
  if (high - low < 1e-9) high = low + 1;
  const double margin = (high - low) * 0.05;
  low -= margin;
  high += margin;
  const auto residues = static_cast<double>(std::max<std::size_t>(values.size(), 1));
  const auto x = [&](double residue) { return kLeft + residue / residues * (kWidth - kLeft - kRight); };
  const auto y = [&](double value) {
    return kTop + (high - value) / (high - low) * (kPanelHeight - kTop - kBottom);
  };
  const double floor_y = y(low);

  std::string panel =
      drawn("<text x=\"%.0f\" y=\"16\" font-weight=\"bold\">", kLeft) + escaped(name) + "</text>\n";
  for (const ScoredRegion& region : regions) {
    panel +=
        drawn("<rect class=\"region\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>",
              x(static_cast<double>(region.begin)), y(high),
              x(static_cast<double>(region.end)) - x(static_cast<double>(region.begin)), floor_y - y(high)) +
        std::to_string(region.begin + 1) + "-" + std::to_string(region.end) + ", score " +
        fixed_text(region.score, style_.decimals) + "</title></rect>\n";
  }
  panel += drawn("<line class=\"shift\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>\n", x(0),
                 x(residues), y(style_.shift), y(style_.shift));
  if (!means.empty()) {
    panel += "<polyline points=\"";
    const double middle = static_cast<double>(values.size() - means.size() + 1) / 2;
    for (std::size_t i = 0; i < means.size(); ++i) {
      panel += drawn("%.2f,%.2f ", x(static_cast<double>(i) + middle), y(means[i]));
    }
    panel += "\"/>\n";
  }
  panel += drawn("<rect class=\"frame\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n", x(0),
                 y(high), x(residues) - x(0), floor_y - y(high));
  const double along = tick_distance(std::max(residues, 10.0));
  for (double at = along; at <= residues; at += along) {
    panel += drawn("<text class=\"x\" x=\"%.2f\" y=\"%.2f\">%.0f</text>\n", x(at - 0.5), floor_y + 14, at);
  }
  const double up = 2 * tick_distance(high - low);
  for (double at = std::ceil(low / up) * up; at <= high; at += up) {
    panel += drawn("<text class=\"y\" x=\"%.2f\" y=\"%.2f\">%g</text>\n", kLeft - 6, y(at) + 4,
                   std::fabs(at) < up / 2 ? 0.0 : at);
  }
  panels_.push_back(std::move(panel));
}

std::string HydropathyPlot::svg() const {
  const double height = kPanelHeight * static_cast<double>(std::max<std::size_t>(panels_.size(), 1)) + kTop;
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
                     drawn(
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                         "viewBox=\"0 0 %.0f %.0f\">\n",
                         kWidth, height, kWidth, height) +
                     "<style>text{font:11px "
                     "sans-serif}.x{text-anchor:middle}.y{text-anchor:end}polyline{fill:none;stroke:#1f4e79}"
                     ".region{fill:#f4b183;fill-opacity:.6}.shift{stroke:#888;stroke-dasharray:4 "
                     "3}.frame{fill:none;stroke:#444}"
                     "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  text += drawn("<text x=\"%.0f\" y=\"16\">", kLeft) + "hydropathy, " + escaped(style_.scale) +
          drawn(", mean of %zu residues; dashed: shift %g; shaded: regions</text>\n", style_.window,
                style_.shift);
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    text += drawn("<g transform=\"translate(0 %.0f)\">\n", kTop + kPanelHeight * static_cast<double>(i)) +
            panels_[i] + "</g>\n";
  }
  return text + "</svg>\n";
}

}  // namespace gpuhmm
