// The runs of `gpuhmm search` and `gpuhmm scan`, for the command line and the server.
#pragma once

#include "cli/arguments.hpp"
#include "cli/commands/run_context.hpp"

namespace gpuhmm::cli {

/// Searches or scans as the arguments say, with the inputs and outputs of `context`. Throw UsageError,
/// FileError, SearchError, DeviceError, EngineFailure, WrongScore, RunStopped, ImpossibleComparison.
void run_search(const Arguments& arguments, RunContext& context);
void run_scan(const Arguments& arguments, RunContext& context);

}  // namespace gpuhmm::cli
