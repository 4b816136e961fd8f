// Values of JSON objects. Internal to the report writers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuhmm {

using Json = nlohmann::ordered_json;

/// The double nearest to the shortest decimal of a float, so that 2.4f is written as 2.4.
double json_decimal(float value);

/// One object on a line of its own; bytes that are not valid UTF-8 are replaced.
std::string json_line(const Json& object);

}  // namespace gpuhmm
