// Writes profiles in HMMER 2.3.2's own file formats.
#pragma once

#include <ostream>

#include "plan7/profile.hpp"

namespace gpuhmm {

/// Writes one profile as HMMER2.0 text, byte for byte as HMMER 2.3.2 does (docs/spec/profile-format.md, 1.4).
/// `profile` must be complete. Errors are left in the stream's state.
void write_hmmer2_text(std::ostream& out, const Profile& profile);

/// Writes one profile as HMMER2.0 binary in little-endian byte order (docs/spec/profile-format.md, 1.5).
/// Padding, which HMMER 2.3.2 leaves undefined, is zero.
void write_hmmer2_binary(std::ostream& out, const Profile& profile);

}  // namespace gpuhmm
