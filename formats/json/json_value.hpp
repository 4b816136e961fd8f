// What all writers of JSON share: the library's type, numbers in the forms we write, one object a line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuhmm {

/// A JSON value whose objects keep their keys in the order of insertion.
using Json = nlohmann::ordered_json;

/// The double nearest to the shortest decimal of a float, so that 2.4f is written as 2.4.
double json_decimal(float value);

/// A number that json_line_of_numbers writes as `text` has it: integers of more than 64 bits, which the
/// library does not hold, and numbers spelled as number_text (formats/numbers/number_text.hpp) spells them in
/// tables.
Json json_number(const std::string& text);

/// One object on a line of its own; bytes that are not valid UTF-8 are replaced.
std::string json_line(const Json& object);
/// The same for an object with numbers of json_number; its strings must not hold the byte 0x7f.
std::string json_line_of_numbers(const Json& object);

}  // namespace gpuhmm
