// The integer search model: a profile turned into 1/1000-bit log-odds scores
// (docs/spec/model-configuration.md, 3.4 to 3.8).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// How delete wings (plan7/wings.hpp), the paths through D_1 and D_M, are folded into begin and end scores:
/// the best path, or their sum (for Forward).
enum class WingFolding { Max, Sum };

/// Node-indexed arrays have length nodes + 1. Transition scores at index 0 and at the last node, and insert
/// scores there, are kMinusInfinity.
struct ScoreModel {
  /// Converts a profile. `profile` must be complete (see Profile).
  explicit ScoreModel(const Profile& profile, WingFolding folding = WingFolding::Max);
  /// An empty model for tests to fill: all scores kMinusInfinity except end[nodes] = 0.
  ScoreModel(AlphabetKind alphabet_kind, int node_count);

  AlphabetKind alphabet;
  int nodes;  ///< M

  std::vector<std::int32_t> mm, mi, md, im, ii, dm, dd;  ///< transitions out of node k
  std::vector<std::int32_t> begin;                       ///< bs_k: B -> M_k, delete wing folded in
  std::vector<std::int32_t> end;                         ///< es_k: M_k -> E, delete wing folded in
  std::vector<std::int32_t> match;                       ///< emission, [code][node], use match_row
  std::vector<std::int32_t> insert;                      ///< emission, [code][node], use insert_row

  std::int32_t n_begin, n_loop;  ///< N -> B, N -> N
  std::int32_t e_to_c, e_to_j;   ///< E -> C, E -> J
  std::int32_t c_end, c_loop;    ///< C -> T, C -> C
  std::int32_t j_begin, j_loop;  ///< J -> B, J -> J

  int code_count() const { return Alphabet::get(alphabet).code_count(); }
  /// Match scores of residue code x for nodes 0..M.
  std::span<const std::int32_t> match_row(int x) const {
    return std::span<const std::int32_t>(match).subspan(static_cast<std::size_t>(x) * (nodes + 1), nodes + 1);
  }
  std::span<const std::int32_t> insert_row(int x) const {
    return std::span<const std::int32_t>(insert).subspan(static_cast<std::size_t>(x) * (nodes + 1),
                                                         nodes + 1);
  }
};

/// Computes the scores of all residue codes for an emission distribution `p` against `null`: rounded log-odds
/// for plain residues, truncated null-weighted means for degenerate ones (docs/spec/model-configuration.md,
/// 3.4). `scores` has alphabet.code_count() values.
void emission_scores(const Alphabet& alphabet, std::span<const float> p, std::span<const float> null,
                     std::span<std::int32_t> scores);

}  // namespace gpuhmm
