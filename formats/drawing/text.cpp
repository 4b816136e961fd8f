// Widths and encoding of text in pictures.
#include "formats/drawing/text.hpp"

#include <array>
#include <cstdint>

namespace gpuhmm {

namespace {

// Advance widths of DejaVu Sans from ' ' to '~', in hundredths of the font's size, rounded up.
constexpr std::array<std::uint8_t, 95> kWidths = {
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84};
constexpr double kBold = 1.2;  // upper bound of how much wider bold letters are

bool continues(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

// Bytes of the first character of `text`; 0 if it is invalid UTF-8, a control character or a noncharacter.
std::size_t character_size(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  std::uint32_t code = first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(byte(i))) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool control = code < 0xA0;  // C1
  const bool no_character = (code & 0xFFFEU) == 0xFFFE;
  return code < kLeast[size] || code > 0x10FFFF || surrogate || control || no_character ? 0 : size;
}

}  // namespace

std::string drawable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    result += size > 0 ? text.substr(0, size) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(size > 0 ? size : 1);
  }
  return result;
}

double text_width(std::string_view text, double size, bool bold) {
  double hundredths = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (continues(byte)) continue;
    hundredths += byte >= ' ' && byte <= '~' ? kWidths[byte - ' '] : 100;
  }
  return hundredths / 100 * size * (bold ? kBold : 1);
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += continues(static_cast<unsigned char>(c)) ? 0 : 1;
  return count;
}

}  // namespace gpuhmm
