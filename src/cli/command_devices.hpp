// `gpuhmm devices`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm devices`.
Command devices_command();

}  // namespace gpuhmm::cli
