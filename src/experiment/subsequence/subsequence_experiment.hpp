// Goncalves, Miranda and Guardia's experiment: increasing subsequences of K elements, on host and device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {

/// Figures 1 and 2, and tables of threads and of work-group sizes.
Experiment subsequence_experiment();

/// `count` random integers from 1 to 1,000,000.
std::vector<std::int32_t> subsequence_data(std::size_t count, std::uint32_t seed);

}  // namespace gpuhmm::experiment
