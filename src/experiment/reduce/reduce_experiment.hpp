// Napoli's experiment: the minimum of a stack of 3 x 3 matrices.
#pragma once

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {

/// Histograms for 131,072 and 1,048,576 matrices, means, the ladder of reductions, work-group sizes.
Experiment reduce_experiment();

}  // namespace gpuhmm::experiment
