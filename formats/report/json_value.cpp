// Values of JSON objects; see the header.
#include "formats/report/json_value.hpp"

#include <array>
#include <charconv>

namespace gpuhmm {

double json_decimal(float value) {
  std::array<char, 64> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  double number = 0;
  std::from_chars(text.data(), written.ptr, number);
  return number;
}

std::string json_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuhmm
