// Layout of a drawing, and its panels, curves and region labels.
#include "companion/segments/region_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "formats/drawing/row_labels.hpp"

namespace gpuhmm {

namespace {

// Sizes in units of the picture.
constexpr double kWidth = 720, kMargin = 12, kAreaHeight = 168, kHeaderHeight = 58;
constexpr double kLabelHeight = 13, kNameHeight = 26, kBarHeight = 4;
constexpr std::size_t kLabelRows = 3;
constexpr double kBelowPanel = kLevelAxisHeight + 12;
constexpr Colour kShade{214, 222, 230}, kCurve{0, 62, 116}, kGrey{90, 90, 90};
constexpr Stroke kCurveStroke{kCurve, 1.2, false}, kShiftStroke{kBlack, 1, true}, kThin{kGrey, 0.6, false};
constexpr TextStyle kPlain{}, kHeading{14, Anchor::Start, true, false};
constexpr TextStyle kName{12, Anchor::Start, true, false}, kAbout{12, Anchor::End, false, false};
constexpr TextStyle kLabel{10, Anchor::Middle, false, false}, kMiddle{12, Anchor::Middle, false, false};
constexpr std::string_view kDash = "\xE2\x80\x93", kMinus = "\xE2\x88\x92";

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string shift_text(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g", std::fabs(value));
  return (value < 0 ? std::string(kMinus) : "") + text.data();
}

std::string first_to_last(const Region& region, std::string_view dash) {
  return std::to_string(region.begin + 1) + std::string(dash) + std::to_string(region.end);
}

// Drops points too close together to be seen: of each half unit of x the lowest and the highest point remain.
std::vector<std::pair<double, double>> thinned(const std::vector<std::pair<double, double>>& points) {
  std::vector<std::pair<double, double>> left;
  for (std::size_t begin = 0; begin < points.size();) {
    const double column = std::floor(points[begin].first * 2);
    std::size_t end = begin, low = begin, high = begin;
    for (; end < points.size() && std::floor(points[end].first * 2) == column; ++end) {
      if (points[end].second < points[low].second) low = end;
      if (points[end].second > points[high].second) high = end;
    }
    left.push_back(points[std::min(low, high)]);
    if (low != high) left.push_back(points[std::max(low, high)]);
    begin = end;
  }
  return left;
}

Axis residue_axis(std::size_t residues) {
  return {"Residue", 0.5, static_cast<double>(std::max<std::size_t>(residues, 1)) + 0.5, true, true};
}

void draw_region_sample(Canvas& canvas, const Box& box) {
  canvas.face(box, kShade);
  canvas.face({box.left, box.top, box.right, box.top + kBarHeight}, kBlack);
}

// The labels of a panel's regions: first and last residue of every region if all labels fit, else the
// regions' numbers, as many as fit.
struct RegionLabels {
  std::vector<std::string> texts;
  std::vector<std::optional<LabelPlace>> places;
  bool numbers = false;

  std::size_t placed() const {
    return static_cast<std::size_t>(
        std::count_if(places.begin(), places.end(), [](const auto& place) { return place.has_value(); }));
  }
  std::size_t rows() const {
    std::size_t rows = 0;
    for (const auto& place : places) rows = std::max(rows, place ? place->row + 1 : 0);
    return rows;
  }
};

RegionLabels region_labels(const Canvas& canvas, std::span<const Region> regions, const Axis& residues,
                           double left, double right) {
  RegionLabels labels;
  for (labels.numbers = false;; labels.numbers = true) {
    labels.texts.clear();
    std::vector<LevelLabel> sizes;
    for (const Region& region : regions) {
      labels.texts.push_back(labels.numbers ? std::to_string(labels.texts.size() + 1)
                                            : first_to_last(region, kDash));
      const double middle = (static_cast<double>(region.begin) + static_cast<double>(region.end) + 1) / 2;
      sizes.push_back(
          {place_on(residues, middle, left, right), canvas.width_of(labels.texts.back(), kLabel)});
    }
    labels.places = place_labels(sizes, left, right, kLabelRows);
    if (labels.numbers || labels.placed() == regions.size()) return labels;
  }
}

}  // namespace

struct RegionPlot::Layout {
  Axis values;
  double left = 0, right = 0;        // edges of the panels' plot areas
  std::vector<RegionLabels> labels;  // by panel
  std::vector<double> tops;          // by panel
  double height = 0;
};

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

RegionPlot::RegionPlot(RegionPlotStyle style) : style_(std::move(style)) {}

void RegionPlot::add(std::string_view name, std::span<const std::int32_t> values,
                     std::span<const Region> regions) {
  if (panels_.size() == kMostPanels) {
    throw std::length_error("a plot holds at most " + std::to_string(kMostPanels) + " sequences");
  }
  Panel panel{std::string(name), values.size(), window_means(values, style_.window), {}};
  for (double& mean : panel.means) mean *= std::pow(10.0, -style_.decimals);
  panel.regions.assign(regions.begin(), regions.end());
  panels_.push_back(std::move(panel));
}

// The axis reaches from a tick below the lowest mean (or the shift) to a tick above the highest.
Axis RegionPlot::values_axis() const {
  double low = style_.shift, high = style_.shift;
  for (const Panel& panel : panels_) {
    for (const double mean : panel.means) {
      low = std::min(low, mean);
      high = std::max(high, mean);
    }
  }
  if (high - low < 1e-6) high = low + 1;
  const double distance = tick_distance(high - low, 7, false);
  return {style_.quantity + " (" + (style_.unit.empty() ? "arb. units" : style_.unit) + ")",
          std::floor(low / distance + 1e-9) * distance, std::ceil(high / distance - 1e-9) * distance};
}

void RegionPlot::draw_header(SvgCanvas& canvas, const Layout& layout) const {
  canvas.text(
      layout.left, 22,
      canvas.fitted(style_.quantity + ", scale " + style_.scale, kHeading, layout.right - layout.left),
      kHeading);
  canvas.begin_group("legend", "");
  constexpr double kBase = 44, kLevel = kBase - 4, kSample = 28, kGap = 6, kApart = 26;
  double x = layout.left;
  const auto label = [&](const std::string& text) {
    canvas.text(x + kSample + kGap, kBase, text, kPlain);
    x += kSample + kGap + canvas.width_of(text, kPlain) + kApart;
  };
  canvas.line(x, kLevel, x + kSample, kLevel, kCurveStroke);
  label("mean of " + counted(style_.window, "residue"));
  canvas.line(x, kLevel, x + kSample, kLevel, kShiftStroke);
  label("shift " + shift_text(style_.shift));
  draw_region_sample(canvas, {x, kLevel - 8, x + kSample, kLevel + 6});
  const auto numbered = [](const RegionLabels& labels) { return labels.numbers; };
  const bool numbers = std::any_of(layout.labels.begin(), layout.labels.end(), numbered);
  label("region, first" + std::string(kDash) + "last residue" + (numbers ? " or its number" : ""));
  canvas.end_group();
}

void RegionPlot::draw_curve(SvgCanvas& canvas, const Layout& layout, const Panel& panel, const Axis& residues,
                            const Box& area) const {
  const auto y = [&](double value) { return place_on(layout.values, value, area.bottom, area.top); };
  canvas.begin_group("shift", "");
  canvas.line(area.left, y(style_.shift), area.right, y(style_.shift), kShiftStroke);
  canvas.end_group();
  if (panel.means.empty()) return;
  std::vector<std::pair<double, double>> points;
  if (panel.means.size() == 1) {
    points = {{area.left, y(panel.means[0])}, {area.right, y(panel.means[0])}};
  } else {
    const double middle = static_cast<double>(panel.residues - panel.means.size() + 2) / 2;
    for (std::size_t i = 0; i < panel.means.size(); ++i) {
      points.emplace_back(place_on(residues, static_cast<double>(i) + middle, area.left, area.right),
                          y(panel.means[i]));
    }
    points = thinned(points);
  }
  canvas.begin_group("curve", "");
  canvas.curve(points, kCurveStroke);
  canvas.end_group();
}

void RegionPlot::draw_panel(SvgCanvas& canvas, const Layout& layout, std::size_t index) const {
  const Panel& panel = panels_[index];
  const RegionLabels& labels = layout.labels[index];
  const double top = layout.tops[index];
  const double above = top + kNameHeight + static_cast<double>(labels.rows()) * kLabelHeight;
  const Box area{layout.left, above, layout.right, above + kAreaHeight};
  const Axis residues = residue_axis(panel.residues);

  canvas.begin_group("panel", panel.name);
  std::string about = counted(panel.residues, "residue") + ", " + counted(panel.regions.size(), "region");
  if (labels.placed() < panel.regions.size()) about += ", " + std::to_string(labels.placed()) + " numbered";
  if (panel.means.size() == 1) about += "; line: mean of all residues";
  const double name_width = area.width() - canvas.width_of(about, kAbout) - 2 * kMargin;
  canvas.text(area.left, top + 14, canvas.fitted(panel.name, kName, name_width), kName);
  canvas.text(area.right, top + 14, about, kAbout);

  for (std::size_t i = 0; i < panel.regions.size(); ++i) {
    const Region& region = panel.regions[i];
    canvas.begin_group("region",
                       first_to_last(region, "-") + ", score " + fixed_text(region.score, style_.decimals));
    const auto x = [&](std::uint64_t residue) {
      return place_on(residues, static_cast<double>(residue) + 0.5, area.left, area.right);
    };
    draw_region_sample(canvas, {x(region.begin), area.top, x(region.end), area.bottom});
    if (const auto& place = labels.places[i]) {
      const double base = area.top - 4 - static_cast<double>(place->row) * kLabelHeight;
      const double middle = (x(region.begin) + x(region.end)) / 2;
      if (place->row > 0) canvas.line(middle, base + 2, middle, area.top, kThin);
      canvas.text(place->middle, base, labels.texts[i], kLabel);
    }
    canvas.end_group();
  }
  draw_curve(canvas, layout, panel, residues, area);
  canvas.outline(area, {});
  if (panel.residues > 0) {
    draw_level_axis(canvas, residues, area);
  } else {
    canvas.text((area.left + area.right) / 2, (area.top + area.bottom) / 2, "no residues", kMiddle);
  }
  draw_upright_axis(canvas, layout.values, area, false);
  canvas.end_group();
}

std::string RegionPlot::svg() const {
  const SvgCanvas measure(0, 0, "", "");
  Layout layout;
  layout.values = values_axis();
  layout.left = kMargin + upright_axis_width(measure, layout.values, kAreaHeight);
  layout.right = kWidth - kMargin;
  for (const Panel& panel : panels_) {
    const double overhang =
        level_axis_overhang(measure, residue_axis(panel.residues), kWidth - kMargin - layout.left);
    layout.right = std::min(layout.right, kWidth - kMargin - overhang);
  }
  layout.height = kHeaderHeight;
  for (const Panel& panel : panels_) {
    layout.labels.push_back(
        region_labels(measure, panel.regions, residue_axis(panel.residues), layout.left, layout.right));
    layout.tops.push_back(layout.height);
    layout.height += kNameHeight + static_cast<double>(layout.labels.back().rows()) * kLabelHeight +
                     kAreaHeight + kBelowPanel;
  }
  const std::string shown = panels_.size() == 1 ? panels_[0].name : counted(panels_.size(), "sequence");
  SvgCanvas canvas(kWidth, layout.height, style_.quantity + " profile of " + shown,
                   "Mean of scale " + style_.scale + " over " + counted(style_.window, "residue") +
                       " along the sequence; regions are shaded.");
  draw_header(canvas, layout);
  for (std::size_t i = 0; i < panels_.size(); ++i) draw_panel(canvas, layout, i);
  return canvas.svg();
}

}  // namespace gpuhmm
