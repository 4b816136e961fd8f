// `gpuhmm bench ladder`: how much each optimisation of a Viterbi kernel gains, in 2012 and today.
#pragma once

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {

Experiment ladder_experiment();

}  // namespace gpuhmm::experiment
