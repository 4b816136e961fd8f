// The SSI index that hmmindex of HMMER 2.3.2 writes beside a profile file: read, and written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/profile/profile_index.hpp"

namespace gpuhmm {

/// The name of HMMER's index of a profile file: `profile_path` and ".ssi".
std::string ssi_index_path(const std::string& profile_path);

/// The profiles of HMMER's index beside `profile_path`, in file order. Nothing if there is none, if it is
/// older than the profile file and so may miss what was added since, or if its offsets have 64 bits (profile
/// files above 2 GB). Throws FileError if the index is damaged.
std::optional<std::vector<IndexedProfile>> read_ssi_index(const std::string& profile_path);

/// Writes HMMER's index of the profile file that was indexed, as hmmindex does; only that bytes which
/// hmmindex takes out of memory it never set are 0. Throws FileError: HMMER3 profiles, a profile that begins
/// above 2 GB.
void write_ssi_index(const ProfileIndex& index);

}  // namespace gpuhmm
