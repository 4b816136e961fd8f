// Finds one profile of a file (hmmfetch).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plan7/profile.hpp"

namespace gpuhmm {

/// The first profile of the file with the name `key`, or else the first with the accession `key`; nothing if
/// there is none. Uses the index of the file (profile_index.hpp), or reads the file from its start if there
/// is none. Throws FileError.
std::optional<Profile> find_profile(const std::string& path, const std::string& key);

/// The profile at place `number`, from 0, in the order of the names' bytes, as hmmfetch -n counts them;
/// nothing if there are not so many. Likewise.
std::optional<Profile> find_profile(const std::string& path, std::int64_t number);

}  // namespace gpuhmm
