// Random models, profiles and sequences for property tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gpuhmm/profile.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::test {

/// Random values from a fixed seed.
class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}

  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator_); }
  bool chance(double p) { return std::bernoulli_distribution(p)(generator_); }
  float probability() { return std::uniform_real_distribution<float>(0.001F, 1.0F)(generator_); }

  /// A sequence with residues of all codes, degenerate ones included.
  std::vector<std::uint8_t> sequence(AlphabetKind kind, int length) {
    std::vector<std::uint8_t> residues(static_cast<std::size_t>(length));
    for (auto& x : residues) {
      x = static_cast<std::uint8_t>(integer(0, Alphabet::get(kind).code_count() - 1));
    }
    return residues;
  }

  /// A score in [low, high], now and then minus infinity.
  std::int32_t score(int low, int high, double impossible) {
    return chance(impossible) ? kMinusInfinity : integer(low, high);
  }

 private:
  std::mt19937 generator_;
};

/// How the scores of a random model are drawn.
struct ModelStyle {
  int step = 1;             ///< scores are multiples of this; with 1000 many paths tie
  double impossible = 0;    ///< fraction of minus infinities among transitions
  bool multihit = true;     ///< paths may use J
  bool free_loops = false;  ///< N, C and J loops cost nothing
};

inline ScoreModel random_model(Random& random, int nodes, const ModelStyle& style) {
  ScoreModel model(AlphabetKind::Amino, nodes);
  const auto draw = [&](int low, int high, double impossible) {
    const std::int32_t s = random.score(low / style.step, high / style.step, impossible);
    return s == kMinusInfinity ? s : s * style.step;
  };
  const std::size_t places = static_cast<std::size_t>(nodes) + 1;
  for (int k = 1; k <= nodes; ++k) {
    model.begin[k] = draw(-6000, 0, style.impossible);
    if (k < nodes) model.end[k] = draw(-6000, 0, style.impossible);
    for (int x = 0; x < model.code_count(); ++x) {
      model.match[x * places + k] = draw(-4000, 5000, style.impossible / 4);
      if (k < nodes) model.insert[x * places + k] = draw(-1000, 1000, style.impossible / 4);
    }
    if (k == nodes) break;
    model.mm[k] = draw(-1000, 0, style.impossible);
    for (auto* row : {&model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd}) {
      (*row)[k] = draw(-4000, 0, style.impossible);
    }
  }
  model.n_begin = draw(-3000, 0, 0);
  model.j_begin = draw(-3000, 0, 0);
  model.e_to_c = draw(-1000, 0, 0);
  model.e_to_j = style.multihit ? draw(-1000, 0, 0) : kMinusInfinity;
  model.c_end = draw(-1000, 0, 0);
  for (auto* loop : {&model.n_loop, &model.c_loop, &model.j_loop}) {
    *loop = style.free_loops ? 0 : draw(-500, 0, 0);
  }
  return model;
}

/// A profile to go with a random model: no path through it shows delete wings (plan7/wings.hpp).
inline Profile wingless_profile(const ScoreModel& model) {
  Profile profile;
  profile.alphabet = model.alphabet;
  profile.resize(model.nodes);
  std::fill(profile.begin.begin(), profile.begin.end(), 1.0F);
  std::fill(profile.end.begin(), profile.end.end(), 1.0F);
  profile.null_loop = 1;
  return profile;
}

enum class Style { GlocalMultihit, LocalMultihit, GlocalSingle, LocalSingle };

/// A complete profile with random, normalised distributions.
inline Profile random_profile(Random& random, int nodes, Style style,
                              AlphabetKind kind = AlphabetKind::Amino) {
  Profile profile;
  profile.name = "random";
  profile.alphabet = kind;
  profile.resize(nodes);
  const bool local = style == Style::LocalMultihit || style == Style::LocalSingle;
  const bool single = style == Style::GlocalSingle || style == Style::LocalSingle;
  const int residues = profile.residues();
  const auto skewed = [&](float floor) {
    const float p = random.probability();
    return floor + p * p * p * p;
  };
  for (int x = 0; x < residues; ++x) profile.null_emission.push_back(0.5F + random.probability());
  for (int k = 1; k <= nodes; ++k) {
    for (int x = 0; x < residues; ++x) {
      profile.match[static_cast<std::size_t>(k) * residues + x] = skewed(0.001F);
      if (k < nodes) profile.insert[static_cast<std::size_t>(k) * residues + x] = 0.5F + random.probability();
    }
    profile.begin[k] = k == 1 ? 1.0F : (local ? 0.5F / static_cast<float>(nodes) : 0.0F);
    profile.end[k] = k == nodes ? 1.0F : (local ? 0.5F / static_cast<float>(nodes) : 0.0F);
    if (k == nodes) break;
    profile.transition[k] = {1.0F,         skewed(0.005F), skewed(0.005F), skewed(0.2F),
                             skewed(0.1F), skewed(0.2F),   skewed(0.2F)};
  }
  profile.begin_delete = skewed(0.01F);
  profile.null_loop = 350.0F / 351.0F;
  const float move = 1.0F / 351.0F;
  profile.special = {move, 1 - move, single ? 1.0F : 0.5F, single ? 0.0F : 0.5F, move, 1 - move,
                     move, 1 - move};
  profile.renormalise();
  return profile;
}

}  // namespace gpuhmm::test
