// Converts real numbers to their shortest decimal text.
#include "formats/numbers/number_text.hpp"

#include <array>
#include <charconv>

namespace gpuhmm {

namespace {

template <class T>
std::string shortest(T value) {
  std::array<char, 64> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace

std::string number_text(float value) { return shortest(value); }
std::string number_text(double value) { return shortest(value); }

}  // namespace gpuhmm
