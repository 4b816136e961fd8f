// Formatting helpers of the report writers: printf-style text and padded fields.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuhmm {

/// The text that printf(pattern, ...) prints, of any length.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

/// `text` padded with spaces on the right (left) to at least `width` bytes; never cut.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// Appends `field`, padded as by pad_right.
inline void append_padded(std::string& text, std::string_view field, std::size_t width) {
  text.append(field);
  if (field.size() < width) text.append(width - field.size(), ' ');
}

}  // namespace gpuhmm
