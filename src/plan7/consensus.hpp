// The most probable residue of each node, and the search style of a profile: what profiles are described by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plan7/profile.hpp"

namespace gpuhmm {

/// The most probable residue of a match state.
struct Consensus {
  std::uint8_t code;
  char letter;  ///< upper case from a probability of 0.5 (amino) or 0.9 (nucleic) on
};
Consensus consensus_of(const Profile& profile, int node);

/// The consensus letters of all nodes.
std::string consensus_sequence(const Profile& profile);

/// How a profile aligns: "ls" (global to the profile, several domains), "fs" (local, several), "g" (global,
/// one) or "s" (local, one): the options of hmmbuild that make them. Local profiles can begin or end at inner
/// nodes.
std::string_view search_style(const Profile& profile);

}  // namespace gpuhmm
