// The time of day as text.
#pragma once

#include <array>
#include <ctime>
#include <string>

namespace gpuhmm::cli {

/// The current local time in the format of C's strftime, at most 63 characters. Empty if the system cannot
/// convert the time.
inline std::string local_time_text(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  std::array<char, 64> text{};
  if (localtime_r(&now, &local) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), format, &local)};
}

/// The same where local time is `utc_offset` seconds ahead of UTC.
inline std::string time_text(const char* format, long utc_offset) {
  const std::time_t now = std::time(nullptr) + utc_offset;
  std::tm there{};
  std::array<char, 64> text{};
  if (gmtime_r(&now, &there) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), format, &there)};
}

}  // namespace gpuhmm::cli
