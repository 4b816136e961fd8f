// Numbers as the text that tables and messages show.
#pragma once

#include <cstdint>
#include <string>

#include "util/int128.hpp"

namespace gpuhmm {

/// The shortest text that reads as the same number of this type; "nan", "inf".
std::string number_text(float value);
std::string number_text(double value);
/// In decimal, with a minus sign if negative.
inline std::string number_text(std::int32_t value) { return std::to_string(value); }
inline std::string number_text(std::int64_t value) { return std::to_string(value); }
inline std::string number_text(Int128 value) { return to_string(value); }

}  // namespace gpuhmm
