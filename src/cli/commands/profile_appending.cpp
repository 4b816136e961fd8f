// Copies a profile file to the new file that replaces it.
#include "cli/commands/profile_appending.hpp"

#include <array>
#include <filesystem>

#include "cli/file_roles.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

bool is_existing_file(const std::string& path) {
  std::error_code error;
  return !is_standard_output(path) && std::filesystem::is_regular_file(path, error);
}

void copy_profiles(const std::string& path, ProfileFileKind kind, const Profile& next, OutputFile& out) {
  ProfileReader existing(path);
  if (existing.kind() != kind || existing.compressed()) {
    throw FileError(path + ": is " + (existing.compressed() ? "gzipped " : "") +
                    std::string(name_of(existing.kind())) + "; only a plain file of " +
                    std::string(name_of(kind)) + " can be appended to");
  }
  const std::optional<Profile> first = existing.next();
  if (first && first->alphabet != next.alphabet) {
    throw FileError(path + ": has profiles of another alphabet than profile '" + next.name +
                    "', which was to be appended");
  }
  Input bytes(path);
  std::array<char, 1 << 16> buffer;
  while (const std::size_t size = bytes.read(buffer.data(), buffer.size())) out.write({buffer.data(), size});
}

}  // namespace gpuhmm::cli
