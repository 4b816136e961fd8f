// `gpuhmm bench`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm bench`.
Command bench_command();

}  // namespace gpuhmm::cli
