// Profile files that profiles are appended to.
#pragma once

#include <string>

#include "gpuhmm/output.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm::cli {

/// Whether `path` is a regular file that exists.
bool is_existing_file(const std::string& path);

/// Copies the profiles of the file `path` to `out`. Throws FileError unless it is a plain file of that kind
/// with profiles of the alphabet of `next`, the profile that is to follow.
void copy_profiles(const std::string& path, ProfileFileKind kind, const Profile& next, OutputFile& out);

}  // namespace gpuhmm::cli
