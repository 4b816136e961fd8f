// Writes JSON lines. Numbers kept as text are strings between two marks until their line is written.
#include "formats/json/json_value.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace gpuhmm {

namespace {

constexpr char kMark = '\x7f';  // nlohmann/json does not escape it

/// The number between marks and quotes with which `text` begins; empty if it begins with anything else.
std::string_view marked_number(std::string_view text) {
  if (!text.starts_with('"') || text.substr(1, 1) != std::string_view(&kMark, 1)) return {};
  const std::string_view number = text.substr(2, text.find_first_not_of("0123456789+-.eE", 2) - 2);
  const std::string_view end = text.substr(2 + number.size(), 2);
  return end.size() == 2 && end[0] == kMark && end[1] == '"' ? number : std::string_view();
}

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
  for (std::size_t i = 0; i < marked.size();) {
    const bool is_escaped = i > 0 && marked[i - 1] == '\\';
    const std::string_view number =
        is_escaped ? std::string_view() : marked_number(std::string_view(marked).substr(i));
    line += number.empty() ? std::string_view(marked).substr(i, 1) : number;
    i += number.empty() ? 1 : number.size() + 4;  // two marks, two quotes
  }
  return line;
}

}  // namespace gpuhmm
