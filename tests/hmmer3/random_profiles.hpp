// Random HMMER3 profiles and sequences for property tests and benchmarks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gpuhmm/hmmer3_profile.hpp"

namespace gpuhmm::hmmer3::test {

using Generator = std::mt19937_64;

inline int between(Generator& random, int low, int high) {
  return std::uniform_int_distribution(low, high)(random);
}

/// How a profile is drawn.
struct ProfileStyle {
  float peak = 0.3F;    ///< the less, the more one residue stands out
  double gaps = 0.05;   ///< probability of opening a gap, about
  double extend = 0.5;  ///< probability of extending one, about
  double zeros = 0;     ///< share of impossible emissions and transitions
};

inline Profile random_profile(Generator& random, AlphabetKind alphabet, int nodes,
                              const ProfileStyle& style) {
  Profile profile;
  profile.name = "random" + std::to_string(nodes);
  profile.alphabet = alphabet;
  profile.nodes = nodes;
  profile.consensus = " " + std::string(static_cast<std::size_t>(nodes), 'x');
  const auto residues = static_cast<std::size_t>(profile.residues());
  std::gamma_distribution<float> weight(style.peak);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto distribution = [&](auto first, std::size_t count, const auto& draw) {
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += first[i] = draw(i);
    for (std::size_t i = 0; i < count; ++i)
      first[i] = sum > 0 ? first[i] / sum : 1.0F / static_cast<float>(count);
  };
  const auto lost = [&](float p) { return unit(random) < style.zeros ? 0.0F : p; };
  profile.match.assign((nodes + 1) * residues, 0);
  profile.insert.assign((nodes + 1) * residues, 1.0F / static_cast<float>(residues));
  profile.composition.emplace(residues);
  distribution(profile.composition->begin(), residues, [&](std::size_t) { return weight(random) + 0.2F; });
  profile.transition.resize(nodes + 1);
  for (int k = 0; k <= nodes; ++k) {
    if (k > 0) {
      distribution(profile.match.begin() + static_cast<std::ptrdiff_t>(k * residues), residues,
                   [&](std::size_t) { return lost(weight(random) + 0.001F); });
    }
    const auto part = [&](double mean) { return static_cast<float>(mean * 2 * unit(random)); };
    auto& t = profile.transition[k];
    const float gap = part(style.gaps), other = part(style.gaps), extend = part(style.extend),
                dd = part(style.extend);
    const float out[] = {1 - std::min(0.9F, gap + other), gap, other};
    distribution(t.begin(), 3, [&](std::size_t i) { return lost(out[i]); });
    distribution(t.begin() + kIM, 2, [&](std::size_t i) { return lost(i == 1 ? extend : 1 - extend); });
    distribution(t.begin() + kDM, 2, [&](std::size_t i) { return lost(i == 1 ? dd : 1 - dd); });
  }
  return profile;
}

/// Plain residues with a few others; `odd` is the share of those.
inline std::vector<std::uint8_t> random_sequence(Generator& random, AlphabetKind alphabet, int length,
                                                 double odd = 0.02) {
  const Alphabet& letters = Alphabet::get(alphabet);
  std::vector<std::uint8_t> sequence(static_cast<std::size_t>(length));
  std::bernoulli_distribution is_odd(odd);
  for (std::uint8_t& x : sequence) {
    x = static_cast<std::uint8_t>(
        between(random, 0, (is_odd(random) ? letters.code_count() : letters.size()) - 1));
  }
  return sequence;
}

/// Puts residues that nodes first, first + 1, ... like best into a sequence from `at` on.
inline void plant(const Profile& profile, std::vector<std::uint8_t>& sequence, std::size_t at, int first) {
  const int residues = profile.residues();
  for (int k = first; k <= profile.nodes && at < sequence.size(); ++k, ++at) {
    int best = 0;
    for (int x = 1; x < residues; ++x) {
      if (profile.match_emission(k, x) > profile.match_emission(k, best)) best = x;
    }
    sequence[at] = static_cast<std::uint8_t>(best);
  }
}

}  // namespace gpuhmm::hmmer3::test
