// `gpuhmm fetch`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm fetch`.
Command fetch_command();

}  // namespace gpuhmm::cli
