// `gpuhmm bench sort`: sorting strings with long common prefixes (Bitencourt 2013; docs/experiments/sort.md).
#pragma once

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {

/// The tables: 3 to 9 with figures 19 to 28, seconds of rivals, today's sorter on the same sets, longer
/// words.
Experiment sort_experiment();

}  // namespace gpuhmm::experiment
