// `gpuhmm help`: help, man page, completion.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm help`.
Command help_command();

}  // namespace gpuhmm::cli
