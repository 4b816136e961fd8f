// Writes messages to standard error.
#include "cli/message.hpp"

#include <iostream>
#include <string>

#include "util/printable.hpp"

namespace gpuhmm::cli {

void write_message(std::string_view before, std::string_view text) {
  std::cerr << std::string(before).append(printable(text)) + "\n";
}

void warn(std::string_view text) { write_message("gpuhmm: warning: ", text); }

}  // namespace gpuhmm::cli
