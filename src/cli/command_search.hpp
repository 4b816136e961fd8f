// `gpuhmm search`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm search`.
Command search_command();

}  // namespace gpuhmm::cli
