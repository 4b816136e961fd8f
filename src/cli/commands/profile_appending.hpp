// Appending profiles to an existing profile file.
#pragma once

#include <string>

#include "gpuhmm/output.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm::cli {

/// True if `path` is an existing regular file.
bool is_existing_file(const std::string& path);

/// Copies the profile file `path` to `out`, before `next` is appended. Throws FileError unless it is an
/// uncompressed file of that kind whose profiles have the alphabet of `next`.
void copy_profiles(const std::string& path, ProfileFileKind kind, const Profile& next, OutputFile& out);

}  // namespace gpuhmm::cli
