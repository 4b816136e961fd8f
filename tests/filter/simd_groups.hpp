// Input for tests of the SIMD kernels: groups of sequences of every size, and models and sequences with
// difficult insertions; and the comparison of the kernels with the plain reference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "filter/random_models.hpp"
#include "filter/simd/kernels.hpp"
#include "plan7/viterbi.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm::simd::testing {

using namespace gpuhmm::testing;

inline constexpr Packing kPackings[] = {Packing::Whole, Packing::Chunks};
inline constexpr LazyFRule kRules[] = {LazyFRule::Always, LazyFRule::WhenUseful};

template <class T>
StripedShape shape_of(const ScoreModel& model, Packing packing) {
  return {model.nodes, (packing == Packing::Chunks ? 16 : vector_bytes()) / sizeof(T)};
}

/// Groups of 1, 2, ... sequences up to the largest group, then again from 1, with the longest sequences
/// first.
inline std::vector<std::vector<std::span<const std::uint8_t>>> groups_of(const SequenceBatch& batch,
                                                                         Packing packing) {
  std::vector<std::span<const std::uint8_t>> sorted;
  for (std::size_t i = 0; i < batch.size(); ++i) sorted.push_back(batch.residues(i));
  std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto& s) { return s.size(); });
  const std::size_t most = packing == Packing::Chunks ? kVectorsAtOnce * vector_bytes() / 16 : kVectorsAtOnce;
  std::vector<std::vector<std::span<const std::uint8_t>>> groups;
  std::size_t size = most;
  for (std::size_t first = 0; first < sorted.size(); first += size) {
    size = std::min(groups.size() % most + 1, sorted.size() - first);
    groups.emplace_back(sorted.begin() + first, sorted.begin() + first + size);
  }
  return groups;
}

/// The number of results at or below the mark (proven) and above it (open).
struct Tally {
  int proven = 0;
  int open = 0;
};

/// Calls check(E found, exact score, length) for all sequences whose E is at or below the mark.
template <class T, class RunSweep, class Check>
Tally check_groups(const ScoreModel& model, const LevelledModel<T>& levelled, const SequenceBatch& batch,
                   Packing packing, const RunSweep& sweep, const Check& check) {
  Tally tally;
  Workspace<T> workspace;
  for (const auto& group : groups_of(batch, packing)) {
    std::vector<T> best(group.size());
    sweep(SequenceGroup(group), workspace, std::span<T>(best));
    for (std::size_t g = 0; g < group.size(); ++g) {
      if (best[g] > levelled.mark) {
        ++tally.open;
        continue;
      }
      ++tally.proven;
      check(levelled.score(best[g]), viterbi_score(model, group[g]), group[g].size());
    }
  }
  return tally;
}

inline void for_each_target(const auto& body) {
  for (const std::string& name : instruction_sets()) {
    SCOPED_TRACE(name);
    use_instruction_set(name);
    if (vector_bytes() > 0) body();
  }
  use_instruction_set("");
}

/// Random sequences of so many residues, without hits but by chance.
inline SequenceBatch random_sequences(Generator& rng, const ScoreModel& model, int count, int shortest,
                                      int longest) {
  SequenceBatch batch;
  for (int i = 0; i < count; ++i) {
    const auto length = static_cast<std::size_t>(detail::between(rng, shortest, longest));
    add_sequence(batch, random_residues(rng, model.alphabet, length));
  }
  return batch;
}

/// A glocal model whose emissions and gap scores are multiplied by random factors, so that 16 bits are enough
/// for some.
inline ScoreModel stretched_model(Generator& rng, int nodes, bool multihit) {
  ScoreModel model = random_model(
      rng, {.nodes = nodes, .style = multihit ? ModelStyle::MultihitGlocal : ModelStyle::SingleGlocal});
  const double stretch = std::uniform_real_distribution<double>(0.3, 1.5)(rng);
  const double gaps = std::uniform_real_distribution<double>(0.1, 2.0)(rng);
  for (auto* table : {&model.match, &model.insert}) {
    for (std::int32_t& s : *table) s = static_cast<std::int32_t>(s * stretch);
  }
  for (auto* table : {&model.mi, &model.md, &model.im, &model.dm, &model.dd, &model.ii}) {
    for (std::int32_t& s : *table) {
      if (s != kMinusInfinity) s = static_cast<std::int32_t>(s * gaps);
    }
  }
  make_glocal(rng, model);
  return model;
}

/// The residues with the highest match scores at nodes first .. last.
inline std::vector<std::uint8_t> consensus(const ScoreModel& model, int first, int last) {
  std::vector<std::uint8_t> residues;
  for (int k = first; k <= last; ++k) {
    int best = 0;
    for (int x = 1; x < Alphabet::get(model.alphabet).size(); ++x) {
      if (model.match_row(x)[k] > model.match_row(best)[k]) best = x;
    }
    residues.push_back(static_cast<std::uint8_t>(best));
  }
  return residues;
}

/// Sequences with long insertions that first gain and then lose: consensus, a run of residue 0, a run of
/// others, consensus.
inline void add_insertions(Generator& rng, const ScoreModel& model, SequenceBatch& batch, int middle,
                           int count) {
  for (int i = 0; i < count; ++i) {
    std::vector<std::uint8_t> residues = consensus(model, 1, middle);
    residues.insert(residues.end(), detail::between(rng, 0, 60), 0);
    for (int r = detail::between(rng, 0, 60); r > 0; --r) {
      residues.push_back(static_cast<std::uint8_t>(detail::between(rng, 1, 3)));
    }
    const std::vector<std::uint8_t> rest = consensus(model, std::min(middle + 1, model.nodes), model.nodes);
    residues.insert(residues.end(), rest.begin(), rest.end());
    add_sequence(batch, residues);
  }
}

/// Makes a glocal model difficult for 16 bits in one of several ways, or leaves it unchanged, and adds
/// sequences that show the difficulty.
inline void make_harder(Generator& rng, ScoreModel& model, SequenceBatch& batch, int way) {
  const int middle = detail::between(rng, 1, model.nodes - 1);
  if (way == 1) {  // an insert that gains
    model.mi[1] = model.im[1] = 100;
  } else if (way == 2) {  // deletes that gain, and sequences that lack two nodes
    for (std::int32_t& s : model.dm) {
      if (s != kMinusInfinity) s += detail::between(rng, 0, 15'000);
    }
    make_glocal(rng, model);
    std::vector<std::uint8_t> residues = consensus(model, 1, middle - 1);
    const std::vector<std::uint8_t> rest = consensus(model, middle + 2, model.nodes);
    residues.insert(residues.end(), rest.begin(), rest.end());
    residues.push_back(0);
    add_sequence(batch, residues);
  } else if (way == 3) {  // a residue that scores low at all nodes, and a sequence that consists of it
    const std::size_t places = static_cast<std::size_t>(model.nodes) + 1;
    for (int k = 1; k <= model.nodes; ++k) model.match[places + k] = -detail::between(rng, 15'000, 30'000);
    add_sequence(batch, std::vector<std::uint8_t>(static_cast<std::size_t>(middle), 1));
  } else if (way == 4) {  // a loop in which residue 0 gains
    model.ii[middle] = -100;
    model.insert[middle] = detail::between(rng, 100, 2500);
  }
  add_insertions(rng, model, batch, middle, 6);
}

/// A model whose node k matches only residue k - 1 well, and whose node 10 has an insert loop in which
/// residue 0 gains 2.4 bits.
inline ScoreModel model_with_gaining_insert(Generator& rng, ModelStyle style) {
  ScoreModel model = random_model(rng, {.nodes = 20, .style = style});
  for (int k = 1; k <= model.nodes; ++k) {
    for (int x = 0; x < model.code_count(); ++x) {
      const std::size_t row = static_cast<std::size_t>(x) * (model.nodes + 1);
      model.match[row + k] = x == k - 1 ? 4000 : -3000;
      model.insert[row + k] = k == 10 && x == 0 ? 2500 : 0;
    }
    if (k < model.nodes) model.ii[k] = -100;
  }
  return model;
}

}  // namespace gpuhmm::simd::testing
