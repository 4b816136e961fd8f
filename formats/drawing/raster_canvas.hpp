// Pictures as pixels, written as PNG, for programs that cannot read SVG.
#pragma once

#include "formats/drawing/canvas.hpp"

namespace gpuhmm {

/// A picture with kPixels pixels a unit. All text has one size. Characters outside ASCII become similar ASCII
/// characters or '?'.
class RasterCanvas : public Canvas {
 public:
  static constexpr double kPixels = 1.5;

  RasterCanvas(double width, double height);

  double resolution() const override { return kPixels; }
  double width_of(std::string_view text, const TextStyle& style) const override;
  void line(double x1, double y1, double x2, double y2, const Stroke& stroke) override;
  void outline(const Box& box, const Stroke& stroke) override;
  void face(const Box& box, const Colour& colour) override;
  void hatch(const Box& box) override;
  void text(double x, double y, std::string_view text, const TextStyle& style) override;
  void image(const Box& box, const ColourImage& image) override;
  void begin_group(std::string_view /*name*/, std::string_view /*title*/) override {}
  void end_group() override {}

  /// The picture as the bytes of a PNG file.
  std::string png() const;

 private:
  struct Pixels;  // rows and columns of a box
  Pixels pixels_of(const Box& box) const;
  void fill(const Pixels& where, const Colour& colour);

  ColourImage picture_;
};

}  // namespace gpuhmm
