// Draws the values of a scale along sequences, and the regions found in them, as SVG.
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

/// The properties common to all panels.
struct RegionPlotStyle {
  std::string scale;                    // its name
  double shift = 0;                     // in the scale's unit; drawn as a horizontal line
  std::size_t window = 19;              // residues that are averaged for a point of the curve
  int decimals = 0;                     // decimals of the values and scores
  std::string unit;                     // unit of the scale; empty if it has none
  std::string quantity = "Hydropathy";  // what the scale measures, for titles
};

/// Collects sequences and draws them: one panel per sequence, one below the other, with one vertical axis.
class RegionPlot {
 public:
  static constexpr std::size_t kMostPanels = 100;  // of a drawing

  explicit RegionPlot(RegionPlotStyle style);

  /// Adds a panel: `values` are the residues' values of the scale in units of 10^-decimals. Throws
  /// std::length_error if there are kMostPanels already.
  void add(std::string_view name, std::span<const std::int32_t> values, std::span<const Region> regions);
  /// The drawing as the text of an SVG file.
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

/// Means of all windows of `window` consecutive values; entry i is that of the window that begins at value i.
/// Fewer values than `window` make one window.
std::vector<double> window_means(std::span<const std::int32_t> values, std::size_t window);

}  // namespace gpuhmm
