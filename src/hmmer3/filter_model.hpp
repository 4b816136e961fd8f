// The parameters of HMMER3's integer filters and of its bias filter for one profile
// (docs/spec/hmmer3/profile-and-configuration.md, 7, 8, 10; filters.md, 5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "hmmer3/log_odds.hpp"

namespace gpuhmm::hmmer3 {

/// What SSV and MSV need of a profile besides the costs of residues, in units of 1/3 bit.
struct ByteParameters {
  int nodes;
  int bias;        ///< makes all costs non-negative
  int begin_cost;  ///< B -> M_k, the same for all k
  int end_cost;    ///< E -> C and E -> J
};

/// 8-bit costs in units of 1/3 bit, for SSV and MSV.
struct ByteModel : ByteParameters {
  explicit ByteModel(const LogOdds& scores);
  /// `biased_costs`: as `costs`.
  ByteModel(const ByteParameters& parameters, std::vector<std::uint8_t> biased_costs)
      : ByteParameters(parameters), costs(std::move(biased_costs)) {}

  static constexpr int kBase = 190, kForbidden = 255;
  static float scale();
  /// Cost of leaving N, C or J for a sequence of this length.
  static int move_cost(std::int64_t length);

  /// Biased cost of residue `code` at node k; 255 is forbidden.
  std::uint8_t cost(std::size_t code, int k) const {
    return costs[code * static_cast<std::size_t>(nodes + 1) + k];
  }
  /// The same without bias, signed, for SSV.
  std::int8_t ssv_cost(std::size_t code, int k) const {
    const int unbiased = cost(code, k) - bias;
    return static_cast<std::int8_t>(unbiased > 127 ? 127 : unbiased);
  }

  std::vector<std::uint8_t> costs;  ///< rows by code, columns by node, 0 not used
};

/// 16-bit scores in units of 1/500 bit, for the Viterbi filter.
struct WordModel {
  explicit WordModel(const LogOdds& scores);
  /// All scores impossible.
  WordModel(int nodes, std::size_t codes, int end_score);

  static constexpr std::int16_t kImpossible = std::numeric_limits<std::int16_t>::min();
  static constexpr int kBase = 12000;
  static float scale();
  /// A score in nats, rounded.
  static std::int16_t rounded(float score);
  /// Score of leaving N, C or J for a sequence of this length.
  static int move_score(std::int64_t length);

  std::int16_t match_score(std::size_t code, int k) const {
    return match[code * static_cast<std::size_t>(nodes + 1) + k];
  }
  std::int16_t step(Step which, int k) const { return steps[which][k]; }

  int nodes;
  int end_score;                                        ///< E -> C and E -> J
  std::vector<std::int16_t> match;                      ///< rows by code, columns by node, 0 not used
  std::array<std::vector<std::int16_t>, kSteps> steps;  ///< by node
};

/// The two-state model of biased composition.
struct BiasModel {
  explicit BiasModel(const Profile& profile);

  float leave, stay;        ///< transitions of the biased state to the other one and to itself
  std::vector<float> odds;  ///< emission odds of the biased state by residue code
};

}  // namespace gpuhmm::hmmer3
