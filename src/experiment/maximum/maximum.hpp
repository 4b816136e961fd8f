// `gpuhmm bench maximum`: maximum subsequence and maximum submatrix (docs/experiments/maximum.md).
#pragma once

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {

/// All tables and figures of C. S. F. da Luz (2013), and the cost of divergent branches, which it left to
/// future work. Tables of one Experiment share measurements while the request stays the same.
Experiment maximum_experiment();

}  // namespace gpuhmm::experiment
