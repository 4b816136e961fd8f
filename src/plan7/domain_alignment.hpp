// The rows of an alignment as reports show it (spec: reports 6.6).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan7/hits.hpp"
#include "plan7/profile.hpp"
#include "plan7/score_model.hpp"
#include "plan7/trace.hpp"

namespace gpuhmm {

/// The most probable residue of each match state.
class Consensus {
 public:
  explicit Consensus(const Profile& profile);

  /// Its code, node 1..M.
  std::uint8_t code(int node) const { return codes_[node]; }
  /// Its letter, in upper case where it is strong.
  char letter(int node) const { return letters_[node]; }

 private:
  std::vector<std::uint8_t> codes_;
  std::string letters_;
};

/// Rows for a path, one column a step. `consensus` is that of the profile.
DomainAlignment make_domain_alignment(const Profile& profile, const ScoreModel& model,
                                      const Consensus& consensus, std::span<const std::uint8_t> residues,
                                      const Trace& trace);

}  // namespace gpuhmm
