// Messages on standard error. Their text may come from outside the program (file names, contents of files,
// options), so control characters are escaped.
#pragma once

#include <string>
#include <string_view>

namespace gpuhmm::cli {

/// The line that write_message() writes.
std::string message_line(std::string_view before, std::string_view text);
/// Writes `before` unchanged, then `text` as one printable line (util/printable.hpp).
void write_message(std::string_view before, std::string_view text);
/// What warn() writes before its text.
inline constexpr std::string_view kWarning = "gpuhmm: warning: ";
/// Writes kWarning and `text` in the same way.
void warn(std::string_view text);

}  // namespace gpuhmm::cli
