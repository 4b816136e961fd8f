// Random score models of every HMMER 2 style, and random sequences for them: the input of tests of all
// engines. Everything depends only on the generator's state, so a failing case can be reproduced from its
// seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/floored_sum.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::testing {

using Generator = std::mt19937_64;

/// hmmbuild's four configurations: glocal or local, several domains in a sequence or one.
enum class ModelStyle { MultihitGlocal, MultihitLocal, SingleGlocal, SingleLocal };

inline constexpr ModelStyle kAllStyles[] = {ModelStyle::MultihitGlocal, ModelStyle::MultihitLocal,
                                            ModelStyle::SingleGlocal, ModelStyle::SingleLocal};

inline const char* style_name(ModelStyle style) {
  switch (style) {
    case ModelStyle::MultihitGlocal:
      return "ls";
    case ModelStyle::MultihitLocal:
      return "fs";
    case ModelStyle::SingleGlocal:
      return "g";
    case ModelStyle::SingleLocal:
      return "s";
  }
  return "?";
}

/// What random_model varies.
struct RandomModelOptions {
  AlphabetKind alphabet = AlphabetKind::Amino;
  int nodes = 20;
  ModelStyle style = ModelStyle::MultihitGlocal;
  double impossible = 0;  ///< share of the transitions, begins, ends and emissions that are minus infinity
  bool coarse = false;    ///< scores in whole bits, so that many paths tie
  bool odd_specials = false;  ///< N, J and C loops that gain or lose, begins from N and J that differ
};

namespace detail {

inline std::int32_t between(Generator& rng, std::int32_t low, std::int32_t high) {
  return std::uniform_int_distribution<std::int32_t>(low, high)(rng);
}

inline bool chance(Generator& rng, double probability) {
  return std::uniform_real_distribution<double>(0, 1)(rng) < probability;
}

// Emissions of one node: residues between `low` and `high`, one of them about `lift`; degenerate codes get
// the mean of their members, as in real models.
inline void fill_emissions(Generator& rng, std::vector<std::int32_t>& scores, const ScoreModel& model, int k,
                           std::int32_t low, std::int32_t high, std::int32_t lift) {
  const Alphabet& letters = Alphabet::get(model.alphabet);
  const std::size_t places = static_cast<std::size_t>(model.nodes) + 1;
  for (int x = 0; x < letters.size(); ++x) scores[x * places + k] = between(rng, low, high);
  if (lift != 0) scores[between(rng, 0, letters.size() - 1) * places + k] = lift + between(rng, 0, 500);
  for (int x = letters.size(); x < letters.code_count(); ++x) {
    std::int64_t sum = 0;
    int count = 0;
    for (int y = 0; y < letters.size(); ++y) {
      if ((letters.members(static_cast<std::uint8_t>(x)) >> y & 1U) == 0) continue;
      sum += scores[y * places + k];
      ++count;
    }
    scores[x * places + k] = static_cast<std::int32_t>(sum / count);
  }
}

inline void fill_entries(Generator& rng, ScoreModel& model, bool local) {
  const int nodes = model.nodes;
  if (local) {
    const auto share = static_cast<std::int32_t>(1000 * std::log2(nodes + 1.0)) + 1000;
    for (int k = 1; k <= nodes; ++k) {
      model.begin[k] = -(k == 1 ? 1000 : share) - between(rng, 0, 60);
      model.end[k] = k == nodes ? 0 : -share - between(rng, 0, 60);
    }
    return;
  }
  std::int32_t begin = -between(rng, 0, 60);
  std::int32_t end = 0;
  for (int k = 1; k <= nodes; ++k) {
    model.begin[k] = begin;
    model.end[nodes + 1 - k] = end;
    begin -= k == 1 ? between(rng, 4000, 9000) : between(rng, 100, 1200);
    end -= k == 1 ? between(rng, 4000, 9000) : between(rng, 100, 1200);
  }
}

}  // namespace detail

/// A model with the score ranges of real calibrated profiles, in the given style.
inline ScoreModel random_model(Generator& rng, const RandomModelOptions& options) {
  using detail::between;
  using detail::chance;
  ScoreModel model(options.alphabet, options.nodes);
  const int nodes = options.nodes;
  for (int k = 1; k <= nodes; ++k) {
    detail::fill_emissions(rng, model.match, model, k, -4500, 300, between(rng, 500, 4500));
    if (k == nodes) break;
    detail::fill_emissions(rng, model.insert, model, k, -700, 350, 0);
    model.mm[k] = -between(rng, 5, 300);
    model.mi[k] = -between(rng, 2500, 9000);
    model.md[k] = -between(rng, 2500, 9000);
    model.im[k] = -between(rng, 300, 2500);
    model.ii[k] = -between(rng, 80, 1800);
    model.dm[k] = -between(rng, 200, 2500);
    model.dd[k] = -between(rng, 80, 1800);
  }
  const bool local = options.style == ModelStyle::MultihitLocal || options.style == ModelStyle::SingleLocal;
  detail::fill_entries(rng, model, local);
  const bool multihit =
      options.style == ModelStyle::MultihitGlocal || options.style == ModelStyle::MultihitLocal;
  model.n_begin = model.j_begin = -8455;
  model.n_loop = model.j_loop = model.c_loop = 0;
  model.c_end = 0;
  model.e_to_c = multihit ? -1000 : 0;
  model.e_to_j = multihit ? -1000 : kMinusInfinity;
  if (options.odd_specials) {
    for (std::int32_t* score : {&model.n_loop, &model.j_loop, &model.c_loop}) *score = between(rng, -40, 12);
    for (std::int32_t* score : {&model.n_begin, &model.j_begin, &model.c_end})
      *score = -between(rng, 0, 9000);
  }
  std::vector<std::int32_t>* tables[] = {&model.mm,  &model.mi,    &model.md,    &model.im,
                                         &model.ii,  &model.dm,    &model.dd,    &model.begin,
                                         &model.end, &model.match, &model.insert};
  for (std::vector<std::int32_t>* table : tables) {
    for (std::int32_t& score : *table) {
      if (score == kMinusInfinity) continue;
      if (options.coarse) score = score / 1000 * 1000;
      if (options.impossible > 0 && chance(rng, options.impossible)) score = kMinusInfinity;
    }
  }
  return model;
}

/// Sets the begin and end scores to the sums of the delete paths, with differences of a few units as from
/// rounding.
inline void make_glocal(Generator& rng, ScoreModel& model) {
  const int nodes = model.nodes;
  model.begin[1] = -detail::between(rng, 0, 500);
  std::int32_t deletes = -detail::between(rng, 1000, 4000);
  for (int k = 1; k < nodes; ++k) {
    model.begin[k + 1] = floored_sum(floored_sum(deletes, model.dm[k]), detail::between(rng, -2, 2));
    deletes = floored_sum(deletes, model.dd[k]);
  }
  deletes = 0;
  for (int k = nodes - 1; k >= 1; --k) {
    model.end[k] = floored_sum(floored_sum(model.md[k], deletes), detail::between(rng, -2, 2));
    deletes = floored_sum(deletes, model.dd[k]);
  }
}

/// Random residues; about one in twenty may be degenerate.
/// Gives all nodes the insert scores of node 1, less up to `spread`.
inline void even_inserts(Generator& rng, ScoreModel& model, std::int32_t spread) {
  const std::size_t places = static_cast<std::size_t>(model.nodes) + 1;
  for (std::size_t first = 0; model.nodes > 1 && first < model.insert.size(); first += places) {
    const std::int32_t common = model.insert[first + 1];
    for (std::size_t k = 1; k + 1 < places; ++k) {
      model.insert[first + k] = floored_sum(common, -detail::between(rng, 0, spread));
    }
  }
}

inline std::vector<std::uint8_t> random_residues(Generator& rng, AlphabetKind alphabet, std::size_t length) {
  const Alphabet& letters = Alphabet::get(alphabet);
  std::vector<std::uint8_t> residues(length);
  for (std::uint8_t& code : residues) {
    const int codes = detail::chance(rng, 0.05) ? letters.code_count() : letters.size();
    code = static_cast<std::uint8_t>(detail::between(rng, 0, codes - 1));
  }
  return residues;
}

/// A sequence of many domains of the model, with mutations, insertions, deletions, and linkers of up to 12
/// residues: its best paths use J many times.
inline std::vector<std::uint8_t> repeat_residues(Generator& rng, const ScoreModel& model,
                                                 std::size_t length) {
  using detail::between;
  using detail::chance;
  const Alphabet& letters = Alphabet::get(model.alphabet);
  std::vector<std::uint8_t> residues;
  const auto any = [&] { return static_cast<std::uint8_t>(between(rng, 0, letters.size() - 1)); };
  while (residues.size() < length) {
    for (int k = 1; k <= model.nodes; ++k) {
      if (chance(rng, 0.02)) continue;
      if (chance(rng, 0.02)) residues.push_back(any());
      int best = 0;
      for (int x = 1; x < letters.size(); ++x) {
        if (model.match_row(x)[k] > model.match_row(best)[k]) best = x;
      }
      residues.push_back(chance(rng, 0.1) ? any() : static_cast<std::uint8_t>(best));
    }
    for (int linker = between(rng, 0, 12); linker > 0; --linker) residues.push_back(any());
  }
  residues.resize(length);
  return residues;
}

/// Appends a sequence to a batch; its name is its number.
inline void add_sequence(SequenceBatch& batch, std::span<const std::uint8_t> residues) {
  batch.begin_sequence("s" + std::to_string(batch.size()), "", "");
  batch.append_residues(residues);
}

/// `count` sequences of `shortest` to `longest` residues, most of them rather short; every fourth one
/// consists of repeats of the model.
inline SequenceBatch random_batch(Generator& rng, const ScoreModel& model, std::size_t count,
                                  std::size_t shortest, std::size_t longest) {
  SequenceBatch batch;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = std::uniform_real_distribution<double>(0, 1)(rng);
    const auto length = shortest + static_cast<std::size_t>(t * t * static_cast<double>(longest - shortest));
    if (i % 4 == 3) {
      add_sequence(batch, repeat_residues(rng, model, length));
    } else {
      add_sequence(batch, random_residues(rng, model.alphabet, length));
    }
  }
  return batch;
}

}  // namespace gpuhmm::testing
