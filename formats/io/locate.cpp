// Finds a file in the folders that an environment variable lists.
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "gpuhmm/input.hpp"

namespace gpuhmm {

std::string locate_file(const std::string& path, const char* variable) {
  const char* const value = std::getenv(variable);
  std::error_code ignored;
  if (path == "-" || value == nullptr || std::filesystem::exists(path, ignored)) return path;
  std::string_view directories = value;
  while (!directories.empty()) {
    const std::size_t colon = directories.find(':');
    std::string candidate = std::string(directories.substr(0, colon)) + "/" + path;
    if (colon != 0 && std::filesystem::exists(candidate, ignored)) return candidate;
    directories.remove_prefix(colon == std::string_view::npos ? directories.size() : colon + 1);
  }
  return path;
}

}  // namespace gpuhmm
