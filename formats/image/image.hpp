// Reads PGM and PNG images as brightness; writes colour images as PNG.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/input.hpp"

namespace gpuhmm {

/// Brightness of the pixels, row by row from the top; 0 is black.
struct GreyImage {
  std::size_t rows = 0, columns = 0;
  std::vector<std::int32_t> values;
};

/// Colours of the pixels, row by row from the top.
struct ColourImage {
  using Pixel = std::array<std::uint8_t, 4>;  ///< red, green, blue, opacity

  ColourImage(std::size_t row_count, std::size_t column_count, Pixel pixel)
      : rows(row_count), columns(column_count), pixels(row_count * column_count, pixel) {}

  std::size_t rows, columns;
  std::vector<Pixel> pixels;

  Pixel& at(std::size_t row, std::size_t column) { return pixels[row * columns + column]; }
};

enum class ImageFormat : std::uint8_t { Pgm, Png };

/// Looks at the first bytes without consuming them; nothing if they are not those of an image.
std::optional<ImageFormat> detect_image(Input& input);

/// Reads the first image. Throws FileError if it is damaged or truncated, or has 2^31 or more pixels.
/// PGM (netpbm's pgm(5)), text or binary: the values of the file, 0 to at most 65535. PNG: the grey values of
/// the file, 0 to 255 or 0 to 65535; values of fewer than 8 bits are scaled to 0 to 255. Colours become grey
/// with the weights of sRGB's primaries (0.2127, 0.7152, 0.0722); gamma and transparency are ignored.
GreyImage read_image(Input& input, ImageFormat format);

/// The image as the bytes of a PNG file. Throws std::runtime_error if it is too large for PNG.
std::string png_of(const ColourImage& image);

namespace image {

/// The readers of the two formats; see read_image.
GreyImage read_pgm(Input& input);
GreyImage read_png(Input& input);

/// Throws FileError unless an image of this size has 1 to 2^31 - 1 pixels.
void check_size(const Input& input, std::uint64_t rows, std::uint64_t columns);

}  // namespace image

}  // namespace gpuhmm
