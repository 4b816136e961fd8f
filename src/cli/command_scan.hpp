// `gpuhmm scan`: sequences against a profile library (hmmpfam).
#pragma once

#include "cli/command.hpp"
#include "cli/run_request.hpp"
#include "search/scan_batch.hpp"

namespace gpuhmm::cli {

/// What a scan is asked to do.
struct ScanRequest {
  RunRequest run;
  std::optional<AlphabetKind> alphabet;  ///< of the profiles, if others shall be refused
  ScanCounting counting = ScanCounting::Serial;
};

/// Runs a scan and ends the program when all is written. Throws UsageError, DeviceError, FileError,
/// SearchError and others.
int run_scan(const ScanRequest& request);

Command scan_command();

}  // namespace gpuhmm::cli
