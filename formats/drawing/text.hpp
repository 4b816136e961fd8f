// Text of pictures: how wide it is, how it is cut to fit, and which bytes of it may be drawn.
#pragma once

#include <string>
#include <string_view>

namespace gpuhmm {

/// The text as valid UTF-8 without control characters: each of them and each byte that belongs to no
/// character becomes U+FFFD.
std::string drawable(std::string_view text);

/// Width of drawable text in a sans-serif font of `size` units. Which font a viewer takes is not known, so
/// the widths are those of DejaVu Sans, one of the widest; what ASCII does not have counts as a full square.
double text_width(std::string_view text, double size, bool bold = false);

/// Number of characters (code points) of drawable text.
std::size_t character_count(std::string_view text);

/// The text, or as much of its beginning as `fits` allows with an ellipsis behind it; empty if not even the
/// ellipsis fits. `fits` tells whether a text is short enough.
template <class Fits>
std::string shortened(std::string text, const Fits& fits) {
  if (fits(text)) return text;
  constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
  while (!text.empty()) {
    // One character less: its last byte and those before it that continue no other.
    while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
    text.pop_back();
    if (fits(text + std::string(kEllipsis))) return text + std::string(kEllipsis);
  }
  return text;
}

}  // namespace gpuhmm
