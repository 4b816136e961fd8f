// `gpuhmm makedb`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm makedb`.
Command makedb_command();

}  // namespace gpuhmm::cli
