// Rounding of scores to bytes and words.
#include "hmmer3/filter_model.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/null_model.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr int kForbidden = ByteModel::kForbidden;

float byte_cost(float score) { return -1.0F * std::round(ByteModel::scale() * score); }

int unbiased_byte(float score) {
  const float cost = byte_cost(score);
  return cost > 255.0F ? kForbidden : static_cast<int>(cost);
}

std::uint8_t biased_byte(float score, int bias) {
  const float cost = byte_cost(score);
  if (cost > static_cast<float>(kForbidden - bias)) return kForbidden;
  return static_cast<std::uint8_t>(static_cast<int>(cost) + bias);
}

}  // namespace

float ByteModel::scale() { return static_cast<float>(3.0 / kLn2); }

int ByteModel::move_cost(std::int64_t length) {
  return unbiased_byte(std::log(3.0F / static_cast<float>(length + 3)));
}

ByteModel::ByteModel(const LogOdds& scores) : costs(scores.codes * (scores.nodes + 1), kForbidden) {
  nodes = scores.nodes;
  begin_cost = unbiased_byte(std::log(2.0F / (static_cast<float>(nodes) * static_cast<float>(nodes + 1))));
  end_cost = unbiased_byte(std::log(0.5F));
  float most = 0;
  for (std::size_t x = 0; x < scores.residues; ++x) {
    for (int k = 1; k <= nodes; ++k) most = std::max(most, scores.match_score(x, k));
  }
  bias = unbiased_byte(-most);
  for (std::size_t x = 0; x < scores.codes; ++x) {
    for (int k = 1; k <= nodes; ++k) costs[x * (nodes + 1) + k] = biased_byte(scores.match_score(x, k), bias);
  }
}

float WordModel::scale() { return static_cast<float>(500.0 / kLn2); }

std::int16_t WordModel::rounded(float score) {
  constexpr float kMost = std::numeric_limits<std::int16_t>::max(), kLeast = kImpossible;
  const float units = std::round(scale() * score);
  if (units >= kMost) return std::numeric_limits<std::int16_t>::max();
  if (units <= kLeast) return kImpossible;
  return static_cast<std::int16_t>(units);
}

int WordModel::move_score(std::int64_t length) {
  return rounded(std::log((2.0F + 1.0F) / ((static_cast<float>(length) + 2.0F) + 1.0F)));
}

WordModel::WordModel(int node_count, std::size_t codes, int score_of_end)
    : nodes(node_count), end_score(score_of_end), match(codes * (nodes + 1), kImpossible) {
  for (std::vector<std::int16_t>& scores : steps) scores.assign(nodes + 1, kImpossible);
}

WordModel::WordModel(const LogOdds& scores)
    : WordModel(scores.nodes, scores.codes, rounded(-static_cast<float>(kLn2))) {
  for (std::size_t x = 0; x < scores.codes; ++x) {
    for (int k = 1; k <= nodes; ++k) match[x * (nodes + 1) + k] = rounded(scores.match_score(x, k));
  }
  for (std::size_t step = 0; step < kSteps; ++step) {
    // A step costs something, a loop in an insert state at least one unit; D -> D is as it is.
    const int most = step == kDeleteToDelete   ? std::numeric_limits<std::int16_t>::max()
                     : step == kInsertToInsert ? -1
                                               : 0;
    for (int k = 1; k <= nodes; ++k) {
      const int score = rounded(step_score(scores, static_cast<Step>(step), k));
      steps[step][k] = static_cast<std::int16_t>(std::min(most, score));
    }
  }
}

BiasModel::BiasModel(const Profile& profile) {
  const float length = static_cast<float>(profile.nodes) / 8;
  leave = 1.0F / (length + 1.0F);
  stay = length / (length + 1.0F);
  const Alphabet& alphabet = Alphabet::get(profile.alphabet);
  const std::span<const float> frequencies = background(profile.alphabet);
  const std::vector<float> composition =
      profile.composition.value_or(std::vector<float>(frequencies.size(), 0.0F));
  odds.assign(static_cast<std::size_t>(alphabet.code_count()), 1.0F);
  for (std::size_t code = 0; code < odds.size(); ++code) {
    const std::uint32_t members = alphabet.members(static_cast<std::uint8_t>(code));
    if (members == 0) continue;
    float model = 0, null = 0;
    for (std::size_t y = 0; y < frequencies.size(); ++y) {
      if ((members >> y & 1U) == 0) continue;
      model = model + composition[y];
      null = null + frequencies[y];
    }
    odds[code] = null == 0 ? 0 : model / null;
  }
}

}  // namespace gpuhmm::hmmer3
