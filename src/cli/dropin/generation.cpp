// Looks for the folder that decides on the generation.
#include "cli/dropin/generation.hpp"

#include <sys/auxv.h>

#include <filesystem>
#include <system_error>

namespace gpuhmm::cli {

namespace {

// The path by which the executable was started. If argv[0] is only a name, this is what the search of PATH
// found.
std::filesystem::path started_by(const std::string& called) {
  if (called.find('/') != std::string::npos) return called;
  const auto address = ::getauxval(AT_EXECFN);
  return address == 0 ? called.c_str() : reinterpret_cast<const char*>(address);
}

}  // namespace

std::string generation_folder(const std::string& called) {
  std::filesystem::path path = started_by(called);
  constexpr int kMostLinks = 40;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code error;
    const std::filesystem::path folder =
        std::filesystem::canonical(std::filesystem::absolute(path, error).parent_path(), error);
    if (error) break;
    for (std::filesystem::path above = folder; above.has_filename(); above = above.parent_path()) {
      const std::string name = above.filename();
      if (name == kHmmer2Folder || name == kHmmer3Folder) return name;
    }
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = folder / target;
  }
  return {};
}

}  // namespace gpuhmm::cli
