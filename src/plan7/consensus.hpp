// What reports show of a profile: the most probable residue of each node, and the search style.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// The most probable residue of each match state.
class Consensus {
 public:
  explicit Consensus(const Profile& profile);

  /// Code of the residue of a node, 1..M.
  std::uint8_t code(int node) const { return codes_[node]; }
  /// Letter of the residue of a node: upper case from a probability of 0.5 (amino) or 0.9 (nucleic) on.
  char letter(int node) const { return letters_[node]; }
  /// The letters of all nodes.
  std::string_view letters() const { return std::string_view(letters_).substr(1); }

 private:
  std::vector<std::uint8_t> codes_;  // [0] is not used
  std::string letters_;
};

/// The search style of a profile, named like hmmbuild's options: "ls" (global to the profile, several
/// domains), "fs" (local, several), "g" (global, one) or "s" (local, one). Local profiles can begin or end at
/// inner nodes.
std::string_view search_style(const Profile& profile);

}  // namespace gpuhmm
