// Writes profiles as GCG profiles, as HMMER 2.3.2's hmmconvert does (docs/spec/profile-format.md, 1.6).
#pragma once

#include <ostream>

#include "plan7/profile.hpp"

namespace gpuhmm {

/// GCG's own profiles, or those of Compugen's machines, which have gap penalties for both sequences.
enum class GcgKind { Plain, Extended };

/// Writes one profile. What GCG profiles cannot hold is lost: all but match scores and gap penalties. Errors
/// are left in the stream's state.
void write_gcg_profile(std::ostream& out, const Profile& profile, GcgKind kind);

}  // namespace gpuhmm
