// The interface for drawing pictures: lines, boxes, text and images. Normal text is 12 units high.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/image/image.hpp"

namespace gpuhmm {

/// A rectangle of a picture in units; y grows downward.
struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  /// The box with each side moved outward by `by` (inward if negative).
  Box grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
  bool holds(const Box& other) const {
    return other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom;
  }
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// An opaque colour: red, green, blue.
using Colour = std::array<std::uint8_t, 3>;

inline constexpr Colour kBlack{0, 0, 0}, kWhite{255, 255, 255};

struct Stroke {
  Colour colour = kBlack;
  double width = 1;
  bool dashed = false;
};

enum class Anchor : std::uint8_t { Start, Middle, End };

struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::Start;
  bool bold = false;
  bool upward = false;  ///< rotated to read from bottom to top
};

/// A picture of a fixed size on a white background. Later drawing covers earlier drawing. All texts must be
/// drawable (formats/drawing/text.hpp).
class Canvas {
 public:
  Canvas() = default;
  virtual ~Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  /// Pixels a unit that images should have at most; callers average finer images.
  virtual double resolution() const = 0;
  /// Width of the text in units, an upper bound for any font.
  virtual double width_of(std::string_view text, const TextStyle& style) const = 0;

  /// A straight line; RasterCanvas draws only vertical and horizontal lines.
  virtual void line(double x1, double y1, double x2, double y2, const Stroke& stroke) = 0;
  virtual void outline(const Box& box, const Stroke& stroke) = 0;
  virtual void face(const Box& box, const Colour& colour) = 0;
  /// Fills with thin slanted lines.
  virtual void hatch(const Box& box) = 0;
  /// `y` is the base line; for upward text `x` is.
  virtual void text(double x, double y, std::string_view text, const TextStyle& style) = 0;
  /// Stretches the image over the box; each pixel becomes a rectangle.
  virtual void image(const Box& box, const ColourImage& image) = 0;
  /// Begins a group of elements, up to the matching end_group. In SVG `name` is its class and `title` its
  /// tooltip; raster pictures ignore both.
  virtual void begin_group(std::string_view name, std::string_view title) = 0;
  virtual void end_group() = 0;

  /// The text, shortened to a width of at most `most` units.
  std::string fitted(std::string_view text, const TextStyle& style, double most) const;
};

}  // namespace gpuhmm
