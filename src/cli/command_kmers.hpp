// `gpuhmm kmers`.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm kmers`.
Command kmers_command();

}  // namespace gpuhmm::cli
