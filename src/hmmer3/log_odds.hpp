// A HMMER3 profile as local multihit log-odds scores (docs/spec/hmmer3/profile-and-configuration.md, 6).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "gpuhmm/hmmer3_profile.hpp"

namespace gpuhmm::hmmer3 {

/// Scores in nats; rows of `match` by residue code, columns by node, 0 not used.
struct LogOdds {
  explicit LogOdds(const Profile& profile);

  float match_score(std::size_t code, int k) const {
    return match[code * static_cast<std::size_t>(nodes + 1) + k];
  }

  int nodes;
  std::size_t codes;         ///< residue codes of the alphabet
  std::size_t residues;      ///< plain ones among them
  std::vector<float> match;  ///< -infinity for codes that stand for no residue
  std::vector<float> begin;  ///< B -> M_k
  /// Out of node k, k = 1..nodes-1; -infinity elsewhere.
  std::vector<std::array<float, kTransitions>> transition;
};

/// The factors or costs of a step into or out of a node, one of each node, in the order of the filters'
/// tables (section 8): B, M, I and D of the node before lead into the match state of node k; the others lead
/// out of k.
enum Step : std::size_t {
  kIntoFromBegin,
  kIntoFromMatch,
  kIntoFromInsert,
  kIntoFromDelete,
  kMatchToDelete,
  kMatchToInsert,
  kInsertToInsert,
  kDeleteToDelete,
  kSteps
};

/// The score of a step at node k (1..nodes): -infinity where there is none.
float step_score(const LogOdds& scores, Step step, int k);

}  // namespace gpuhmm::hmmer3
