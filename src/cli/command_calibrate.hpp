// `gpuhmm calibrate`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm calibrate`.
Command calibrate_command();

}  // namespace gpuhmm::cli
