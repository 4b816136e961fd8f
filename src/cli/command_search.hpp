// `gpuhmm search`.
#pragma once

#include "cli/command.hpp"
#include "cli/run_request.hpp"

namespace gpuhmm::cli {

/// What a search is asked to do.
struct SearchRequest {
  RunRequest run;
  bool first_profile_only = false;
  bool count_empty = false;  ///< sequences without residues count, as in hmmsearch with worker threads
};

/// Runs a search and ends the program when all is written. Throws UsageError, DeviceError, FileError,
/// SearchError and others.
int run_search(const SearchRequest& request);

/// The table entry of `gpuhmm search`.
Command search_command();

}  // namespace gpuhmm::cli
