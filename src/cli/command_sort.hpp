// `gpuhmm sort`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm sort`.
Command sort_command();

}  // namespace gpuhmm::cli
