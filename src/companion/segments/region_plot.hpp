// Scores along sequences with their regions as an SVG drawing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "companion/segments/region_writer.hpp"
#include "formats/drawing/axis.hpp"
#include "formats/drawing/svg_canvas.hpp"

namespace gpuhmm {

/// What all panels share.
struct RegionPlotStyle {
  std::string scale;
  double shift = 0;                     // drawn as a line
  std::size_t window = 19;              // residues whose mean a point of the curve is
  int decimals = 0;                     // of the values and scores
  std::string unit;                     // of the scale; empty if it has none
  std::string quantity = "Hydropathy";  // what the scale gives, for titles
};

/// Draws one panel a sequence, one below the other, all with the same vertical axis.
class RegionPlot {
 public:
  static constexpr std::size_t kMostPanels = 100;

  explicit RegionPlot(RegionPlotStyle style);

  /// Adds a panel: `values` are the residues' values of the scale in units of 10^-decimals. Throws
  /// std::length_error if there are kMostPanels already.
  void add(std::string_view name, std::span<const std::int32_t> values, std::span<const Region> regions);
  /// The whole drawing.
  std::string svg() const;

 private:
  struct Panel {
    std::string name;
    std::size_t residues = 0;
    std::vector<double> means;
    std::vector<Region> regions;
  };
  struct Layout;

  Axis values_axis() const;
  void draw_header(SvgCanvas& canvas, const Layout& layout) const;
  void draw_panel(SvgCanvas& canvas, const Layout& layout, std::size_t index) const;
  void draw_curve(SvgCanvas& canvas, const Layout& layout, const Panel& panel, const Axis& residues,
                  const Box& area) const;

  RegionPlotStyle style_;
  std::vector<Panel> panels_;
};

/// Means of all windows of `window` values (all values if there are fewer); result i is that of the window
/// that begins at i.
std::vector<double> window_means(std::span<const std::int32_t> values, std::size_t window);

}  // namespace gpuhmm
