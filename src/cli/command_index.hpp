// `gpuhmm index`: writes the index of a profile file.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

Command index_command();

}  // namespace gpuhmm::cli
