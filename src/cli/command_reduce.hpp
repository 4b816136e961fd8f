// `gpuhmm reduce`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm reduce`.
Command reduce_command();

}  // namespace gpuhmm::cli
