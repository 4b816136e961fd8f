// Writes messages to standard error.
#include "cli/message.hpp"

#include <iostream>

#include "util/printable.hpp"

namespace gpuhmm::cli {

std::string message_line(std::string_view before, std::string_view text) {
  return std::string(before).append(printable(text)) + "\n";
}

void write_message(std::string_view before, std::string_view text) {
  std::cerr << message_line(before, text);
}

void warn(std::string_view text) { write_message(kWarning, text); }

}  // namespace gpuhmm::cli
