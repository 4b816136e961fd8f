// `gpuhmm submatrix`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm submatrix`.
Command submatrix_command();

}  // namespace gpuhmm::cli
