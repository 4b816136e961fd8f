// `gpuhmm bench reduce`: Napoli's minimum of a stack of 3 x 3 matrices (docs/experiments/reduce.md).
#pragma once

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {

/// The tables: histograms for 131,072 and 1,048,576 matrices, means, the ladder of reductions, work-group
/// sizes.
Experiment reduce_experiment();

}  // namespace gpuhmm::experiment
