// The models of a launch as the kernels of cl/hmmer3_sweeps.cl read them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hmmer3/opencl/sweep_groups.hpp"
#include "hmmer3/pair_sweeper.hpp"
#include "opencl/cl.hpp"

namespace gpuhmm::hmmer3 {

/// Whether all parameters are normal numbers or 0: devices may take smaller ones for 0, the host does not.
bool is_normal(const FloatModel& model);

/// The models of the queries that occur in the launch.
struct SweepTables {
  SweepTables(const SweepLaunch& launch, std::span<const SweepQuery> queries);

  std::vector<float> transitions;              ///< [step][stripe][Step], model after model
  std::vector<float> emissions;                ///< [code][step][stripe]
  std::vector<std::array<cl_uint, 4>> models;  ///< places in both (of transitions: in fours), steps, nodes
  std::vector<std::uint32_t> model_of;         ///< of each query; not defined for those that do not occur
  std::vector<std::size_t> steps;              ///< of each model
};

}  // namespace gpuhmm::hmmer3
