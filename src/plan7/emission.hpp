// Sequences drawn from a profile, and its majority-rule consensus: what HMMER 2.3.2's hmmemit makes
// (docs/spec/emission.md, 10.1 to 10.3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan7/profile.hpp"
#include "plan7/random.hpp"
#include "plan7/trace.hpp"

namespace gpuhmm {

/// One step of a drawn sequence through a profile: a match, insert or delete state; `code` has no meaning for
/// deletes.
struct EmissionStep {
  State state;
  int node;
  std::uint8_t code;
};

/// A drawn sequence: every match or delete state once, in order.
using Emission = std::vector<EmissionStep>;

/// Draws sequences that run through the whole profile once, whatever its search style: its ends and flanking
/// states are not used, though their choices take random numbers.
class SequenceEmitter {
 public:
  explicit SequenceEmitter(const Profile& profile);
  Emission draw(RandomStream& stream) const;

 private:
  struct Ready {};  // a profile to be taken as it is
  SequenceEmitter(const Profile& profile, Ready);

  State begin(RandomStream& stream) const;

  float begin_delete_;
  std::vector<RandomChoice> match_, insert_;
  std::vector<RandomChoice> from_match_, from_insert_, from_delete_;
};

/// The residues of the match states that at least half of the drawn sequences use; upper case as in
/// Consensus. For an insert state that half of them use there are as many `x` as it has residues on
/// average, cut to an integer.
std::string majority_consensus(const Profile& profile);

}  // namespace gpuhmm
