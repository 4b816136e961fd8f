// Sequences drawn from a profile and its majority-rule consensus, as HMMER 2.3.2's hmmemit makes and writes
// them (docs/spec/emission.md, 10.1 to 10.3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/output.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/random.hpp"
#include "gpuhmm/trace.hpp"

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

/// One FASTA record, 50 letters a line.
void write_emitted_fasta(const TextSink& out, std::string_view name, std::string_view description,
                         std::string_view letters);

/// The letters of a drawn sequence.
std::string emitted_letters(const Profile& profile, const Emission& steps);

/// All sequences of a profile: match states in columns of their own, the inserts between two of them half to
/// the left and half to the right.
void write_emitted_alignment(const TextSink& out, const Profile& profile,
                             const std::vector<Emission>& sequences);

}  // namespace gpuhmm
