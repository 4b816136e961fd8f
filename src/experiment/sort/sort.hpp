// The experiment on sorting strings with long common prefixes (Bitencourt 2013).
#pragma once

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {

/// Tables 3 to 9 with figures 19 to 28, rivals in seconds, today's sorter on the same sets, and longer words.
Experiment sort_experiment();

}  // namespace gpuhmm::experiment
