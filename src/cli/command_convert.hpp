// `gpuhmm convert`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm convert`.
Command convert_command();

}  // namespace gpuhmm::cli
