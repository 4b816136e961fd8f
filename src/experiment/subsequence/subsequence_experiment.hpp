// `gpuhmm bench subsequence`: increasing subsequences of K elements by Goncalves, Miranda and Guardia
// (docs/experiments/subsequence.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {

/// The tables: figures 1 and 2, numbers of threads, work-group sizes.
Experiment subsequence_experiment();

/// `count` random integers from 1 to 1,000,000.
std::vector<std::int32_t> subsequence_data(std::size_t count, std::uint32_t seed);

}  // namespace gpuhmm::experiment
