// The experiment on the maximum subsequence and the maximum submatrix.
#pragma once

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {

/// All tables and figures of C. S. F. da Luz (2013), and what its future work asks for: the cost of divergent
/// branches. Tables of one Experiment share their measurements as long as the request stays the same.
Experiment maximum_experiment();

}  // namespace gpuhmm::experiment
