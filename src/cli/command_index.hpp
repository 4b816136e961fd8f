// `gpuhmm index`: writes the index of a profile file.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// hmmindex: writes HMMER's index of the profile file at this path, which must not exist, and tells so on
/// standard output; returns the exit code. Throws FileError.
int run_ssi_index(const std::string& profiles);

Command index_command();

}  // namespace gpuhmm::cli
