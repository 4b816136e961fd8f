// Pictures of matrices; see the header.
#include "submatrix/overlay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "formats/image/image.hpp"

namespace gpuhmm {

namespace {

using Colour = ColourImage::Colour;

constexpr std::size_t kMostPixels = 1600;  // of a side that is averaged down
constexpr std::size_t kEnlargeTo = 400;    // the longer side of a PNG has at least about so many
constexpr Colour kAbsent{222, 232, 242};
// Distinct on grey, in the order of the ranks (Okabe and Ito 2008, without black and yellow).
constexpr std::array<Colour, 6> kFrames = {
    {{213, 94, 0}, {0, 114, 178}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}}};

// The matrix with `step` x `step` cells a pixel.
struct Picture {
  std::size_t step;
  ColourImage pixels;
};

Picture picture_of(const Matrix& matrix) {
  const std::size_t step =
      std::max<std::size_t>(1, (std::max(matrix.rows, matrix.columns) + kMostPixels - 1) / kMostPixels);
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool any = false;
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    if (matrix.is_barred(i)) continue;
    low = any ? std::min(low, matrix.values[i]) : matrix.values[i];
    high = any ? std::max(high, matrix.values[i]) : matrix.values[i];
    any = true;
  }
  const double range = std::max(1.0, static_cast<double>(high) - static_cast<double>(low));
  const auto pixels = [step](std::size_t cells) {
    return std::max<std::size_t>(1, (cells + step - 1) / step);
  };
  Picture picture{step, {pixels(matrix.rows), pixels(matrix.columns), kAbsent}};
  for (std::size_t row = 0; row < picture.pixels.rows; ++row) {
    for (std::size_t column = 0; column < picture.pixels.columns; ++column) {
      double sum = 0;
      std::size_t cells = 0;
      for (std::size_t r = row * step; r < std::min(matrix.rows, (row + 1) * step); ++r) {
        for (std::size_t c = column * step; c < std::min(matrix.columns, (column + 1) * step); ++c) {
          const std::size_t index = matrix.cell(r, c);
          if (matrix.is_barred(index)) continue;
          sum += static_cast<double>(matrix.values[index]) - static_cast<double>(low);
          ++cells;
        }
      }
      if (cells == 0) continue;
      const auto grey =
          static_cast<std::uint8_t>(std::lround(255 * (sum / static_cast<double>(cells) / range)));
      picture.pixels.at(row, column) = {grey, grey, grey};
    }
  }
  return picture;
}

ColourImage enlarged(const ColourImage& image, std::size_t factor) {
  ColourImage large(image.rows * factor, image.columns * factor, kAbsent);
  for (std::size_t row = 0; row < large.rows; ++row) {
    for (std::size_t column = 0; column < large.columns; ++column) {
      large.at(row, column) = image.pixels[row / factor * image.columns + column / factor];
    }
  }
  return large;
}

// A frame two pixels wide whose outside is the rectangle.
void draw_frame(ColourImage& image, const Rectangle& where, const Colour& colour) {
  constexpr std::size_t kWidth = 2;
  for (std::size_t row = where.top; row <= where.bottom; ++row) {
    for (std::size_t column = where.left; column <= where.right; ++column) {
      const bool inside = row >= where.top + kWidth && row + kWidth <= where.bottom &&
                          column >= where.left + kWidth && column + kWidth <= where.right;
      if (!inside) image.at(row, column) = colour;
    }
  }
}

std::string base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

const Colour& frame_colour(std::size_t rank) { return kFrames[rank % kFrames.size()]; }

}  // namespace

std::string overlay_png(const Overlay& overlay) {
  const Picture picture = picture_of(overlay.matrix);
  const std::size_t side = std::max(picture.pixels.rows, picture.pixels.columns);
  const std::size_t factor = std::max<std::size_t>(1, kEnlargeTo / side);
  ColourImage image = enlarged(picture.pixels, factor);
  for (std::size_t rank = 0; rank < overlay.patterns.size(); ++rank) {
    const Rectangle& where = overlay.patterns[rank].where;
    draw_frame(
        image,
        {where.top / picture.step * factor, where.left / picture.step * factor,
         (where.bottom / picture.step + 1) * factor - 1, (where.right / picture.step + 1) * factor - 1},
        frame_colour(rank));
  }
  return png_of(image);
}

std::string overlay_svg(const Overlay& overlay) {
  const Matrix& matrix = overlay.matrix;
  const Picture picture = picture_of(matrix);
  const std::size_t rows = std::max<std::size_t>(1, matrix.rows);
  const std::size_t columns = std::max<std::size_t>(1, matrix.columns);
  const std::size_t side = std::max(rows, columns);
  const double line = std::max(0.25, static_cast<double>(side) / 400);
  const auto drawn = [side](std::size_t cells) { return std::max<std::size_t>(8, 800 * cells / side); };
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << drawn(columns) << "\" height=\""
      << drawn(rows) << "\" viewBox=\"0 0 " << columns << ' ' << rows << "\">\n"
      << "<image width=\"" << picture.pixels.columns * picture.step << "\" height=\""
      << picture.pixels.rows * picture.step
      << "\" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64,"
      << base64(png_of(picture.pixels)) << "\"/>\n";
  for (std::size_t rank = 0; rank < overlay.patterns.size(); ++rank) {
    const Rectangle& where = overlay.patterns[rank].where;
    const Colour& colour = frame_colour(rank);
    std::ostringstream rgb;
    rgb << "rgb(" << int{colour[0]} << ',' << int{colour[1]} << ',' << int{colour[2]} << ')';
    out << "<g><title>" << xml_text(overlay.labels[rank]) << "</title><rect x=\"" << where.left << "\" y=\""
        << where.top << "\" width=\"" << where.width() << "\" height=\"" << where.height()
        << "\" fill=\"transparent\" stroke=\"" << rgb.str() << "\" stroke-width=\"" << line
        << "\"/><text x=\"" << static_cast<double>(where.left) + 2 * line << "\" y=\""
        << static_cast<double>(where.top) + 9 * line << "\" font-family=\"sans-serif\" font-size=\""
        << 8 * line << "\" fill=\"" << rgb.str() << "\">" << rank + 1 << "</text></g>\n";
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace gpuhmm
