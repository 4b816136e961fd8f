// What all writers of JSON share: the value type, the forms of numbers, one object a line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuhmm {

/// A JSON value whose objects keep their keys in the order of insertion.
using Json = nlohmann::ordered_json;

/// The double that is written with the digits of the float: 2.4f as 2.4.
double json_decimal(float value);

/// A number that json_line_of_numbers writes exactly as `text`: for integers of more than 64 bits, which
/// nlohmann/json cannot hold, and for numbers in the form of tables (formats/numbers/number_text.hpp).
Json json_number(const std::string& text);

/// The object and a newline; U+FFFD replaces invalid UTF-8.
std::string json_line(const Json& object);
/// As json_line, for an object with values of json_number.
std::string json_line_of_numbers(const Json& object);

}  // namespace gpuhmm
