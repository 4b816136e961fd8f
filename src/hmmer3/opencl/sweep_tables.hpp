// The models of a launch as the kernels of cl/hmmer3_sweeps.cl read them.
#pragma once

#include <span>
#include <vector>

#include "hmmer3/opencl/pair_launches.hpp"

namespace gpuhmm::hmmer3 {

/// Whether all parameters are normal numbers or 0: devices may take smaller ones for 0, the host does not.
bool is_normal(const FloatModel& model);

/// The models of a launch, one after the other.
struct SweepTables {
  SweepTables(const LaunchModels& launch, std::span<const PairQuery> queries);

  std::vector<float> transitions;  ///< [step][stripe][Step]
  std::vector<float> deletes;      ///< [step][stripe] of D to D: half the places of transitions in fours
  std::vector<float> emissions;    ///< [code][step][stripe]
  std::vector<Four> models;        ///< places in both (of transitions: in fours), steps, nodes
};

}  // namespace gpuhmm::hmmer3
