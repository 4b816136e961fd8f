// Detects image formats by their first bytes and calls the reader of the format.
#include "formats/image/image.hpp"

#include <limits>

namespace gpuhmm {

namespace {

constexpr std::string_view kPngMagic = "\x89PNG\r\n\x1a\n";

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::optional<ImageFormat> detect_image(Input& input) {
  const std::string_view head = input.peek(kPngMagic.size());
  if (head == kPngMagic) return ImageFormat::Png;
  const bool pgm = head.size() > 2 && head[0] == 'P' && (head[1] == '2' || head[1] == '5') &&
                   (is_space(head[2]) || head[2] == '#');
  if (pgm) return ImageFormat::Pgm;
  return std::nullopt;
}

GreyImage read_image(Input& input, ImageFormat format) {
  return format == ImageFormat::Pgm ? image::read_pgm(input) : image::read_png(input);
}

void image::check_size(const Input& input, std::uint64_t rows, std::uint64_t columns) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (rows == 0 || columns == 0 || rows > kMost / columns) {
    throw FileError(input.name() + ": an image of " + std::to_string(columns) + " x " + std::to_string(rows) +
                    "; expected 1 to 2147483647 pixels");
  }
}

}  // namespace gpuhmm
