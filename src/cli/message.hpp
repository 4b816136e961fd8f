// Messages on standard error that repeat text from outside the program: file names, words of files and
// options.
#pragma once

#include <string_view>

namespace gpuhmm::cli {

/// Writes `before` as it is and `text` as one printable line (util/printable.hpp).
void write_message(std::string_view before, std::string_view text);
/// Writes "gpuhmm: warning: " and `text` likewise.
void warn(std::string_view text);

}  // namespace gpuhmm::cli
