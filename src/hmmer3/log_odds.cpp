// Configuration of profiles. The order and the precision of each operation are those of the specification:
// results depend on them in the last bit.
#include "hmmer3/log_odds.hpp"

#include <cmath>
#include <limits>
#include <span>

#include "hmmer3/null_model.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();

float log_of(float p) { return static_cast<float>(std::log(static_cast<double>(p))); }

// Probabilities that a path comes through the match states.
std::vector<float> occupancies(const Profile& profile) {
  std::vector<float> occupancy(profile.nodes + 1);
  occupancy[1] = profile.transition[0][kMI] + profile.transition[0][kMM];
  for (int k = 2; k <= profile.nodes; ++k) {
    const auto& from = profile.transition[k - 1];
    const float through = occupancy[k - 1] * (from[kMM] + from[kMI]);
    occupancy[k] =
        static_cast<float>(static_cast<double>(through) +
                           (1.0 - static_cast<double>(occupancy[k - 1])) * static_cast<double>(from[kDM]));
  }
  return occupancy;
}

}  // namespace

LogOdds::LogOdds(const Profile& profile)
    : nodes(profile.nodes),
      codes(static_cast<std::size_t>(Alphabet::get(profile.alphabet).code_count())),
      residues(static_cast<std::size_t>(profile.residues())),
      match(codes * (nodes + 1), kImpossible),
      begin(nodes + 1, kImpossible),
      transition(nodes + 1) {
  const std::vector<float> occupancy = occupancies(profile);
  float sum = 0;
  for (int k = 1; k <= nodes; ++k) sum = sum + occupancy[k] * static_cast<float>(nodes - k + 1);
  for (int k = 1; k <= nodes; ++k) begin[k] = log_of(occupancy[k] / sum);

  for (auto& node : transition) node.fill(kImpossible);
  for (int k = 1; k < nodes; ++k) {
    for (std::size_t t = 0; t < kTransitions; ++t) transition[k][t] = log_of(profile.transition[k][t]);
  }

  const Alphabet& alphabet = Alphabet::get(profile.alphabet);
  const std::span<const float> frequencies = background(profile.alphabet);
  for (int k = 1; k <= nodes; ++k) {
    const auto score = [&](std::size_t code) -> float& { return match[code * (nodes + 1) + k]; };
    for (std::size_t x = 0; x < residues; ++x) {
      score(x) =
          static_cast<float>(std::log(static_cast<double>(profile.match_emission(k, static_cast<int>(x))) /
                                      static_cast<double>(frequencies[x])));
    }
    for (std::size_t code = residues; code < codes; ++code) {
      const std::uint32_t members = alphabet.members(static_cast<std::uint8_t>(code));
      if (members == 0) continue;
      float weighted = 0, weight = 0;
      for (std::size_t y = 0; y < residues; ++y) {
        if ((members >> y & 1U) == 0) continue;
        weighted = weighted + score(y) * frequencies[y];
        weight = weight + frequencies[y];
      }
      score(code) = weighted / weight;
    }
  }
}

float step_score(const LogOdds& scores, Step step, int k) {
  switch (step) {
    case kIntoFromBegin:
      return scores.begin[k];
    case kIntoFromMatch:
      return scores.transition[k - 1][kMM];
    case kIntoFromInsert:
      return scores.transition[k - 1][kIM];
    case kIntoFromDelete:
      return scores.transition[k - 1][kDM];
    case kMatchToDelete:
      return scores.transition[k][kMD];
    case kMatchToInsert:
      return scores.transition[k][kMI];
    case kInsertToInsert:
      return scores.transition[k][kII];
    default:
      return scores.transition[k][kDD];
  }
}

}  // namespace gpuhmm::hmmer3
