// Random models and sequences for tests of alignments.
#pragma once

#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "filter/random_models.hpp"
#include "plan7/random_models.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::test {

/// A model and a sequence.
struct AlignmentCase {
  ScoreModel model;
  std::vector<std::uint8_t> residues;
};

/// Random emissions, transitions, begins and ends; many ties with a step of 1000 and more.
inline AlignmentCase tied_case(Random& random, int trial) {
  constexpr ModelStyle kStyles[] = {
      {1, 0, true, false},       {1, 0.1, true, false},    {1000, 0, true, false},
      {1000, 0.1, true, true},   {1000, 0.4, true, false}, {1, 0.9, true, false},
      {1000, 0.1, false, false}, {2000, 0.02, true, true}, {3000, 0, true, true}};
  const int nodes = trial % 40 == 0 ? random.integer(61, 300) : random.integer(1, 60);
  ScoreModel model = random_model(random, nodes, kStyles[trial % std::size(kStyles)]);
  std::vector<std::uint8_t> residues =
      random.sequence(model.alphabet, random.integer(0, trial % 10 == 0 ? 300 : 70));
  return {std::move(model), std::move(residues)};
}

/// A model of one of HMMER's four styles.
inline ScoreModel model_of_any_style(testing::Generator& rng, int trial) {
  testing::RandomModelOptions options;
  options.nodes = testing::detail::between(rng, 1, trial % 12 == 0 ? 400 : 70);
  options.style = testing::kAllStyles[trial % 4];
  options.coarse = trial % 3 == 0;
  options.odd_specials = trial % 5 == 0;
  options.impossible = trial % 7 == 0 ? 0.03 : 0;
  return testing::random_model(rng, options);
}

}  // namespace gpuhmm::test
