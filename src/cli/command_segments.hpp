// `gpuhmm segments`: maximum-sum segments of proteins and of vectors.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

Command segments_command();

}  // namespace gpuhmm::cli
