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

/// Header as in the file, and fields. Tables are row-major by node, from node 1 on; the last node has neither
/// insert emissions nor transitions, their fields are empty.
struct Hmmer3Record {
  static constexpr std::size_t kTransitions = 7;  ///< a node: MM MI MD IM II DM DD

  explicit Hmmer3Record(hmmer3::Profile profile);

  std::string name;
  std::optional<std::string> accession, description, date;
  AlphabetKind alphabet = AlphabetKind::Amino;
  bool rna = false;
  int nodes = 0;
  std::vector<std::string> commands;  ///< without their numbers
  std::optional<int> sequence_count;
  std::optional<ScoreCutoff> gathering, trusted, noise;

  std::string rf, cs;    ///< [k - 1] of node k; empty if absent
  std::vector<int> map;  ///< likewise

  ScoreField begin_main, begin_delete, begin_match;  ///< not deleted at node 1, deleted, and B -> M_1
  std::vector<ScoreField> match, insert, transition;

  std::span<const float> background() const;
};

/// Field of probability p against n, as HMMER3 writes it.
ScoreField hmmer3_field(float p, float n);

}  // namespace gpuhmm
