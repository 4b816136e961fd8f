// Writes JSON lines. Numbers kept as text are strings between two marks until their line is written.
#include "formats/json/json_value.hpp"

#include <array>
#include <charconv>

namespace gpuhmm {

namespace {

constexpr char kMark = '\x7f';  // nlohmann/json does not escape it

}  // namespace

double json_decimal(float value) {
  std::array<char, 64> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  double number = 0;
  std::from_chars(text.data(), written.ptr, number);
  return number;
}

Json json_number(const std::string& text) { return kMark + text + kMark; }

std::string json_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_line_of_numbers(const Json& object) {
  const std::string marked = json_line(object);
  std::string line;
  line.reserve(marked.size());
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const bool opens = marked[i] == '"' && marked[i + 1] == kMark;
    const bool closes = marked[i] == kMark;
    if (opens || closes) {
      ++i;  // mark and quote together
    } else {
      line += marked[i];
    }
  }
  return line;
}

}  // namespace gpuhmm
