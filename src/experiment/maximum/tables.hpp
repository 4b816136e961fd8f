// The tables of the experiment.
#pragma once

#include <vector>

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment::maximum {

/// Tables 6.1 to 6.4, figures 6.1 to 6.3, and global memory, work-groups and branches.
std::vector<TableSource> subsequence_tables();
/// Tables 6.5 and 6.6, figures 6.4 to 6.6, and branches.
std::vector<TableSource> submatrix_tables();

}  // namespace gpuhmm::experiment::maximum
