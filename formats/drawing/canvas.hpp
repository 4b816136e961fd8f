// What pictures are drawn on: lines, boxes and text, in units of which a letter is 12 high.
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
  /// The box with its sides moved outward (inward if negative).
  Box grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
  bool holds(const Box& other) const {
    return other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom;
  }
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// Colours of lines and faces, opaque.
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
  bool upward = false;  ///< turned, so that it reads from below to above
};

/// A picture of a fixed size with a white ground. What is drawn later covers what is there. Texts are
/// drawable (formats/drawing/text.hpp).
class Canvas {
 public:
  Canvas() = default;
  virtual ~Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  /// Pixels that a unit is worth showing in; what images are averaged to.
  virtual double resolution() const = 0;
  /// No less than the width of the text, whatever font it is shown in.
  virtual double width_of(std::string_view text, const TextStyle& style) const = 0;

  /// A straight line; raster pictures have only upright and level ones.
  virtual void line(double x1, double y1, double x2, double y2, const Stroke& stroke) = 0;
  virtual void outline(const Box& box, const Stroke& stroke) = 0;
  virtual void face(const Box& box, const Colour& colour) = 0;
  /// Fills with thin slanted lines.
  virtual void hatch(const Box& box) = 0;
  /// `y` is the base line; of upward text `x` is.
  virtual void text(double x, double y, std::string_view text, const TextStyle& style) = 0;
  /// Fills the box with the image, each pixel a rectangle.
  virtual void image(const Box& box, const ColourImage& image) = 0;
  /// What is drawn up to the matching end_group is called `name` for programs and shows `title` when
  /// pointed at, where the kind of picture can do that.
  virtual void begin_group(std::string_view name, std::string_view title) = 0;
  virtual void end_group() = 0;

  /// The text, cut so that it is no wider than `most`.
  std::string fitted(std::string_view text, const TextStyle& style, double most) const;
};

}  // namespace gpuhmm
