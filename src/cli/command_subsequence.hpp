// `gpuhmm subsequence`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm subsequence`.
Command subsequence_command();

}  // namespace gpuhmm::cli
