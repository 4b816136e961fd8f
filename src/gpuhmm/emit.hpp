// Draws random sequences from a profile, makes its majority-rule consensus, and writes both as HMMER 2.3.2's
// hmmemit does (docs/spec/emission.md, 10.1 to 10.3).
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

/// One step of a random sequence through a profile: a match, insert or delete state. Delete states do not use
/// `code`.
struct EmissionStep {
  State state;
  int node;
  std::uint8_t code;
};

/// A random sequence. At each node it is once in the match or delete state, in node order.
using Emission = std::vector<EmissionStep>;

/// Draws sequences that pass through the whole profile once, whatever its search style. Begin, end and
/// flanking states do not shape the sequence, but their choices consume random numbers as in HMMER.
class SequenceEmitter {
 public:
  explicit SequenceEmitter(const Profile& profile);
  Emission draw(RandomStream& stream) const;

 private:
  struct Ready {};  // the profile is already prepared
  SequenceEmitter(const Profile& profile, Ready);

  State begin(RandomStream& stream) const;

  float begin_delete_;
  std::vector<RandomChoice> match_, insert_;
  std::vector<RandomChoice> from_match_, from_insert_, from_delete_;
};

/// The most probable residue of each match state that at least half of the sequences use, in upper case as in
/// Consensus. An insert state that at least half of them use adds its mean number of residues, truncated, as
/// `x`.
std::string majority_consensus(const Profile& profile);

/// Writes one FASTA record with 50 letters per line.
void write_emitted_fasta(const TextSink& out, std::string_view name, std::string_view description,
                         std::string_view letters);

/// The letters of a random sequence.
std::string emitted_letters(const Profile& profile, const Emission& steps);

/// Writes the alignment of all random sequences of a profile: each match state has a column, and of the
/// inserts between two of them the first half is left-aligned and the rest right-aligned.
void write_emitted_alignment(const TextSink& out, const Profile& profile,
                             const std::vector<Emission>& sequences);

}  // namespace gpuhmm
