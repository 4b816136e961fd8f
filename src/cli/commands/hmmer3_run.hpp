// Runs a search or a scan with HMMER3 profiles.
#pragma once

#include "cli/commands/hmmer3_request.hpp"

namespace gpuhmm::cli {

/// True if HMMER3's answer is wanted: --as says so, or else the first profile of the file is HMMER3's.
bool wants_hmmer3(const Arguments& arguments);

/// Runs the request and writes all outputs; ends the program by leave(). Throws UsageError, FileError,
/// SearchError, ImpossibleComparison.
void run_hmmer3(const Hmmer3Request& request);

}  // namespace gpuhmm::cli
