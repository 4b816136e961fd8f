// `gpuhmm emit`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm emit`.
Command emit_command();

}  // namespace gpuhmm::cli
