// `gpuhmm search`.
#pragma once

#include "cli/command.hpp"
#include "cli/run_request.hpp"

namespace gpuhmm::cli {

/// The table entry of `gpuhmm search`.
/// What a search is asked to do.
struct SearchRequest {
  RunRequest run;
};

/// Runs a search; returns the exit code. Throws UsageError, DeviceError, FileError, SearchError and others.
int run_search(const SearchRequest& request);

Command search_command();

}  // namespace gpuhmm::cli
