// Implements the formatting helpers with vsnprintf: into a small array first, as most texts are short.
#include "util/format.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace gpuhmm {

std::string format(const char* pattern, ...) {
  std::array<char, 256> small;
  std::va_list arguments;
  va_start(arguments, pattern);
  std::va_list again;
  va_copy(again, arguments);
  const auto length =
      static_cast<std::size_t>(std::vsnprintf(small.data(), small.size(), pattern, arguments));
  va_end(arguments);
  std::string text(small.data(), length < small.size() ? length : 0);
  if (text.size() < length) {
    text.resize(length);
    std::vsnprintf(text.data(), length + 1, pattern, again);
  }
  va_end(again);
  return text;
}

std::string pad_right(std::string_view text, std::size_t width) {
  std::string padded;
  append_padded(padded, text, width);
  return padded;
}

std::string pad_left(std::string_view text, std::size_t width) {
  std::string padded(text.size() < width ? width - text.size() : 0, ' ');
  return padded.append(text);
}

}  // namespace gpuhmm
