// The models of a launch as the kernels of cl/hmmer3_filters.cl read them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hmmer3/opencl/pair_launches.hpp"

namespace gpuhmm::hmmer3 {

/// Codes for which the kernels' tables have room.
inline constexpr std::size_t kTableCodes = 32;

/// Nodes of a block of the Viterbi kernel.
inline constexpr std::size_t kViterbiBlock = 4;

/// Blocks for which that kernel needs room with a model of `nodes` nodes: one more than those.
constexpr std::size_t viterbi_room(std::size_t nodes) { return nodes / kViterbiBlock + 2; }

/// Whether no transition adds to a score. Then a path that has come to the lowest score never is the best: B
/// has a score above 0, so that one that comes from B to the next match state is at least as good, whatever
/// that transition costs, and goes on in the same way.
bool viterbi_never_gains(const WordModel& model);

/// Nodes of the queries' models; for models that gain more than any device has room for: the kernel could be
/// wrong for them.
std::vector<std::size_t> viterbi_sizes(std::span<const PairQuery> queries);

/// For the bias filter: of each model the odds of the codes, then BiasModel::leave and stay.
std::vector<float> bias_tables(const LaunchModels& launch, std::span<const PairQuery> queries);

/// For the Viterbi filter: the models of a launch, one after the other.
struct ViterbiTables {
  ViterbiTables() = default;
  ViterbiTables(const LaunchModels& launch, std::span<const PairQuery> queries);

  std::vector<cl_int> steps;                  ///< [node][8] as the kernel names them
  std::vector<std::int16_t> emissions;        ///< [block of nodes][code][node]
  std::vector<std::array<cl_int, 4>> models;  ///< places in both (of steps: in fours), nodes, score of E -> C
};

}  // namespace gpuhmm::hmmer3
