// Implements the formatting helpers with vsnprintf.
#include "util/format.hpp"

#include <cstdarg>
#include <cstdio>

namespace gpuhmm {

std::string format(const char* pattern, ...) {
  std::va_list arguments;
  va_start(arguments, pattern);
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string text(static_cast<std::size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

std::string pad_right(std::string_view text, std::size_t width) {
  std::string padded(text);
  if (padded.size() < width) padded.append(width - padded.size(), ' ');
  return padded;
}

std::string pad_left(std::string_view text, std::size_t width) {
  std::string padded(text.size() < width ? width - text.size() : 0, ' ');
  return padded.append(text);
}

}  // namespace gpuhmm
