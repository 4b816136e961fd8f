// Draws the scores, probabilities and lengths of models, profiles and proteins.
#include "synthetic/synthetic.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace gpuhmm::synthetic {

namespace {

std::int32_t between(Generator& rng, std::int32_t low, std::int32_t high) {
  return std::uniform_int_distribution<std::int32_t>(low, high)(rng);
}

}  // namespace

ScoreModel model(Generator& rng, int nodes, bool local) {
  ScoreModel model(AlphabetKind::Amino, nodes);
  const auto score = [&](std::vector<std::int32_t>& scores, int x, int k) -> std::int32_t& {
    return scores[static_cast<std::size_t>(x) * (nodes + 1) + k];
  };
  const auto entry = static_cast<std::int32_t>(-1000 * (std::log2(nodes) + 1));
  for (int k = 1; k <= nodes; ++k) {
    for (int x = 0; x < model.code_count(); ++x) score(model.match, x, k) = between(rng, -4500, 300);
    score(model.match, between(rng, 0, 19), k) = between(rng, 1000, 4500);
    model.begin[k] = local ? entry : k == 1 ? -50 : -8000 - 500 * k;
    model.end[k] = k == nodes ? 0 : local ? entry : -8000 - 500 * (nodes - k);
    if (k == nodes) break;
    for (int x = 0; x < model.code_count(); ++x) score(model.insert, x, k) = between(rng, -700, 350);
    model.mm[k] = -between(rng, 5, 300);
    model.im[k] = -between(rng, 300, 2500);
    model.dm[k] = -between(rng, 200, 2500);
    model.ii[k] = model.dd[k] = -between(rng, 80, 1800);
    model.mi[k] = model.md[k] = -between(rng, 2500, 9000);
  }
  model.n_begin = model.j_begin = -8455;
  model.n_loop = model.j_loop = model.c_loop = model.c_end = 0;
  model.e_to_c = model.e_to_j = -1000;
  return model;
}

Profile profile(Generator& rng, int nodes, bool local) {
  Profile profile;
  profile.resize(nodes);
  profile.name = "synthetic_" + std::to_string(nodes) + (local ? "_fs" : "_ls");
  profile.null_loop = 350.0F / 351.0F;
  profile.null_emission.assign(20, 0.05F);
  const float move = 1 - profile.null_loop;
  profile.special = {move, profile.null_loop, 0.5F, 0.5F, move, profile.null_loop, move, profile.null_loop};
  profile.begin_delete = 0.1F;
  std::gamma_distribution<float> residue(0.3F);
  for (int k = 1; k <= nodes; ++k) {
    for (int x = 0; x < 20; ++x) {
      profile.match[static_cast<std::size_t>(k) * 20 + x] = residue(rng) + 0.02F;
      profile.insert[static_cast<std::size_t>(k) * 20 + x] =
          0.045F + 0.01F * static_cast<float>(between(rng, 0, 1));
    }
    profile.transition[k] = {0.96F, 0.03F, 0.01F, 0.5F, 0.5F, 0.6F, 0.4F};
    const auto others = static_cast<float>(std::max(nodes - 1, 1));
    profile.begin[k] = local ? (k == 1 ? 0.45F : 0.45F / others) : (k == 1 ? 0.9F : 0.0F);
    const float exit = 0.5F / others;
    profile.end[k] = k == nodes ? 1.0F : local ? exit / (1 - exit * static_cast<float>(k - 1)) : 0.0F;
  }
  profile.renormalise();
  return profile;
}

std::size_t swissprot_length(Generator& rng) {
  std::lognormal_distribution<double> lengths(5.66, 0.72);
  return static_cast<std::size_t>(std::clamp(lengths(rng), 2.0, 20'000.0));
}

void append_protein(Generator& rng, std::size_t length, SequenceBatch& batch) {
  batch.begin_sequence("s", "", "");
  std::vector<std::uint8_t>& residues = batch.residue_buffer();
  for (std::size_t r = 0; r < length; ++r) residues.push_back(static_cast<std::uint8_t>(rng() % 20));
}

}  // namespace gpuhmm::synthetic
