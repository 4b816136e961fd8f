// A HMMER3 profile with its probabilities turned into the integer fields of HMMER2, as HMMER 3.3.2's
// `hmmconvert -2` does (docs/spec/profile-format.md, 1.7).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/profile/score_field.hpp"
#include "gpuhmm/hmmer3_profile.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// One profile: its header and its score fields. Tables are row-major by node, from node 1. The last node has
/// no row of insert emissions, and its transitions are empty.
struct Hmmer3Record {
  static constexpr std::size_t kTransitions = 7;  ///< of a node: MM MI MD IM II DM DD

  explicit Hmmer3Record(hmmer3::Profile profile);

  std::string name;
  std::optional<std::string> accession, description, date;
  AlphabetKind alphabet = AlphabetKind::Amino;
  bool rna = false;
  int nodes = 0;
  std::vector<std::string> commands;  ///< without their numbers
  std::optional<int> sequence_count;
  std::optional<ScoreCutoff> gathering, trusted, noise;

  std::string rf, cs;    ///< letter of node k at [k - 1]; empty if absent
  std::vector<int> map;  ///< column of node k at [k - 1]; empty if absent

  ScoreField begin_main, begin_delete, begin_match;  ///< begin transitions: all but to D_1, to D_1, to M_1
  std::vector<ScoreField> match, insert, transition;

  /// HMMER3's background frequencies of the residues.
  std::span<const float> background() const;
};

/// Field of probability `p` relative to `n`, as HMMER3 writes it.
ScoreField hmmer3_field(float p, float n);

}  // namespace gpuhmm
