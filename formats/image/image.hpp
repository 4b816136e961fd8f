// Images: brightness out of PGM and PNG files, colours into PNG files.
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

/// Looks at the first bytes without consuming them; nothing if they begin no image.
std::optional<ImageFormat> detect_image(Input& input);

/// Reads the first image. Throws FileError: not as the format wants it, cut short, more than 2^31 pixels.
/// PGM (netpbm's pgm(5)), text and binary: the numbers as they are, 0 to at most 65535. PNG: grey values as
/// they are, 0 to 255 or 65535, those of fewer than 8 bits widened to 0 to 255; colours are weighed to grey
/// with the weights of sRGB's primaries (0.2127, 0.7152, 0.0722), whatever gamma the file names; transparency
/// is left out of account.
GreyImage read_image(Input& input, ImageFormat format);

/// The bytes of a PNG file. Throws std::runtime_error if the image is too large for one.
std::string png_of(const ColourImage& image);

namespace image {

GreyImage read_pgm(Input& input);
GreyImage read_png(Input& input);

/// Throws FileError unless an image of this size is sound.
void check_size(const Input& input, std::uint64_t rows, std::uint64_t columns);

}  // namespace image

}  // namespace gpuhmm
