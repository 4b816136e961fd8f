// Draws pictures into pixels. Without antialiasing: all lines are vertical or horizontal.
#include "formats/drawing/raster_canvas.hpp"

#include <cmath>
#include <utility>

#include "formats/drawing/raster_font.hpp"

namespace gpuhmm {

namespace {

// UTF-8 text in ASCII, the only letters of the font.
std::string ascii(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kNear[] = {
      {"\xE2\x80\x93", "-"}, {"\xE2\x88\x92", "-"}, {"\xC3\x97", "x"}, {"\xE2\x80\xA6", "..."}};
  std::string result;
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    std::size_t size = 1;
    std::string_view shown = text.substr(0, 1);
    if (first >= 0x80) {
      while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
      shown = "?";
      for (const auto& [letter, near] : kNear) {
        if (text.substr(0, size) == letter) shown = near;
      }
    }
    result += shown;
    text.remove_prefix(size);
  }
  return result;
}

std::size_t pixel(double units, std::size_t most) {
  const double rounded = std::round(units * RasterCanvas::kPixels);
  return rounded <= 0 ? 0 : std::min(most, static_cast<std::size_t>(rounded));
}

ColourImage::Pixel opaque(const Colour& colour) { return {colour[0], colour[1], colour[2], 255}; }

}  // namespace

struct RasterCanvas::Pixels {
  std::size_t left, top, right, bottom;  // right and bottom are one past the last
};

RasterCanvas::RasterCanvas(double width, double height)
    : picture_(static_cast<std::size_t>(std::ceil(height * kPixels)),
               static_cast<std::size_t>(std::ceil(width * kPixels)), opaque(kWhite)) {}

double RasterCanvas::width_of(std::string_view text, const TextStyle& style) const {
  return (static_cast<double>(ascii(text).size()) * kGlyphWidth + (style.bold ? 1 : 0)) / kPixels;
}

RasterCanvas::Pixels RasterCanvas::pixels_of(const Box& box) const {
  return {pixel(box.left, picture_.columns), pixel(box.top, picture_.rows),
          pixel(box.right, picture_.columns), pixel(box.bottom, picture_.rows)};
}

void RasterCanvas::fill(const Pixels& where, const Colour& colour) {
  for (std::size_t row = where.top; row < where.bottom; ++row) {
    for (std::size_t column = where.left; column < where.right; ++column) {
      picture_.at(row, column) = opaque(colour);
    }
  }
}

void RasterCanvas::line(double x1, double y1, double x2, double y2, const Stroke& stroke) {
  const double half = stroke.width / 2;
  Pixels where =
      pixels_of({std::min(x1, x2) - (x1 == x2 ? half : 0), std::min(y1, y2) - (y1 == y2 ? half : 0),
                 std::max(x1, x2) + (x1 == x2 ? half : 0), std::max(y1, y2) + (y1 == y2 ? half : 0)});
  // A line is at least one pixel wide.
  if (where.right == where.left) where.right = std::min(where.left + 1, picture_.columns);
  if (where.bottom == where.top) where.bottom = std::min(where.top + 1, picture_.rows);
  fill(where, stroke.colour);
}

void RasterCanvas::outline(const Box& box, const Stroke& stroke) {
  const double half = stroke.width / 2;
  line(box.left - half, box.top, box.right + half, box.top, stroke);
  line(box.left - half, box.bottom, box.right + half, box.bottom, stroke);
  line(box.left, box.top - half, box.left, box.bottom + half, stroke);
  line(box.right, box.top - half, box.right, box.bottom + half, stroke);
}

void RasterCanvas::face(const Box& box, const Colour& colour) { fill(pixels_of(box), colour); }

void RasterCanvas::hatch(const Box& box) {
  constexpr std::size_t kDistance = 9;
  const Pixels where = pixels_of(box);
  for (std::size_t row = where.top; row < where.bottom; ++row) {
    for (std::size_t column = where.left; column < where.right; ++column) {
      if ((row + column) % kDistance == 0) picture_.at(row, column) = {119, 119, 119, 255};
    }
  }
}

void RasterCanvas::text(double x, double y, std::string_view text, const TextStyle& style) {
  const std::string letters = ascii(text);
  const double width = width_of(text, style);
  const double back = style.anchor == Anchor::Start ? 0 : style.anchor == Anchor::End ? width : width / 2;
  // Upper left corner of the first letter, along and across the direction of reading.
  const double along = std::round((style.upward ? -y - back : x - back) * kPixels);
  const double down = std::round((style.upward ? x : y) * kPixels) - kGlyphAscent;
  const auto dot = [&](double at, double line) {
    const double column = style.upward ? line : at, row = style.upward ? -at : line;
    if (row < 0 || column < 0) return;
    const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
    if (r < picture_.rows && c < picture_.columns) picture_.at(r, c) = opaque(kBlack);
  };
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto code = static_cast<unsigned char>(letters[i]);
    if (code < ' ' || code > '~') continue;
    for (int row = 0; row < kGlyphHeight; ++row) {
      const unsigned bits = kGlyphs[code - ' '][static_cast<std::size_t>(row)];
      for (int column = 0; column < kGlyphWidth; ++column) {
        if ((bits >> (kGlyphWidth - 1 - column) & 1U) == 0) continue;
        const double at = along + static_cast<double>(i) * kGlyphWidth + column;
        dot(at, down + row);
        if (style.bold) dot(at + 1, down + row);
      }
    }
  }
}

void RasterCanvas::image(const Box& box, const ColourImage& image) {
  if (image.pixels.empty()) return;
  const Pixels where = pixels_of(box);
  const std::size_t rows = where.bottom - where.top, columns = where.right - where.left;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t from = row * image.rows / rows * image.columns + column * image.columns / columns;
      if (image.pixels[from][3] > 0) picture_.at(where.top + row, where.left + column) = image.pixels[from];
    }
  }
}

std::string RasterCanvas::png() const { return png_of(picture_); }

}  // namespace gpuhmm
