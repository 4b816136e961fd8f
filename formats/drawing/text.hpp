// Text of pictures: valid characters, upper bounds of widths, shortening.
#pragma once

#include <string>
#include <string_view>

namespace gpuhmm {

/// The text as valid UTF-8 without control characters; U+FFFD replaces each control character and each
/// invalid byte.
std::string drawable(std::string_view text);

/// Width in units of drawable text in a sans-serif font of `size` units. The viewer chooses the font, so the
/// widths are those of DejaVu Sans, one of the widest; a character outside ASCII counts as `size` units.
double text_width(std::string_view text, double size, bool bold = false);

/// Number of characters (code points) of drawable text.
std::size_t character_count(std::string_view text);

/// The text if `fits` returns true for it, else its longest beginning that fits with an ellipsis added; empty
/// if there is none.
template <class Fits>
std::string shortened(std::string text, const Fits& fits) {
  if (fits(text)) return text;
  constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
  while (!text.empty()) {
    // Remove the last character: its continuation bytes, then its first byte.
    while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
    text.pop_back();
    if (fits(text + std::string(kEllipsis))) return text + std::string(kEllipsis);
  }
  return text;
}

}  // namespace gpuhmm
