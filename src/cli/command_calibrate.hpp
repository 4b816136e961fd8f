// `gpuhmm calibrate`.
#pragma once

#include <optional>
#include <string>

#include "calibrate/random_samples.hpp"
#include "cli/command.hpp"

namespace gpuhmm::cli {

/// One run of `gpuhmm calibrate`.
struct CalibrateRequest {
  std::string profiles;
  SampleOptions sampling;
  std::optional<std::string> output;      ///< in the place of `profiles` if absent
  std::optional<std::string> histograms;  ///< file for histograms
  std::string device = "auto";
  unsigned threads = 1;
  bool quiet = false;           ///< no progress line
  bool report_threads = false;  ///< their number is in the report, as with HMMER's worker threads
  std::string command_line;     ///< for the command logs of the profiles
  bool statistics = false;
};

/// Returns the exit code. Throws UsageError, DeviceError, FileError and others.
int run_calibrate(const CalibrateRequest& request);

/// The table entry of `gpuhmm calibrate`.
Command calibrate_command();

}  // namespace gpuhmm::cli
