// Pictures as SVG, with text as text and tooltips for groups.
#pragma once

#include <initializer_list>
#include <span>
#include <utility>

#include "formats/drawing/canvas.hpp"

namespace gpuhmm {

/// An SVG picture. Numbers have at most two decimals, and a point in any locale.
class SvgCanvas : public Canvas {
 public:
  /// `title` and `description` are the texts for screen readers.
  SvgCanvas(double width, double height, std::string_view title, std::string_view description);

  double resolution() const override { return 3; }
  double width_of(std::string_view text, const TextStyle& style) const override;
  void line(double x1, double y1, double x2, double y2, const Stroke& stroke) override;
  void outline(const Box& box, const Stroke& stroke) override;
  void face(const Box& box, const Colour& colour) override;
  void hatch(const Box& box) override;
  void text(double x, double y, std::string_view text, const TextStyle& style) override;
  void image(const Box& box, const ColourImage& image) override;
  void begin_group(std::string_view name, std::string_view title) override;
  void end_group() override;

  /// A line through the points (x, y).
  void curve(std::span<const std::pair<double, double>> points, const Stroke& stroke);

  /// The picture as the text of an SVG file.
  std::string svg() const;

 private:
  struct Attribute {
    Attribute(const char* its_name, double number);
    Attribute(const char* its_name, std::string_view text);
    Attribute(const char* its_name, const Colour& colour);
    const char* name;
    std::string value;
  };
  void add(const char* name, std::initializer_list<Attribute> attributes, const Stroke* stroke = nullptr,
           std::string_view content = {});

  double width_, height_;
  std::string title_, description_;
  bool hatched_ = false;
  std::string body_;
};

}  // namespace gpuhmm
