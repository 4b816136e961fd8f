// `gpuhmm stat`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm stat`.
Command stat_command();

}  // namespace gpuhmm::cli
