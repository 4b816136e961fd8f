// Runs a search or a scan on a sample, in a process of its own, and measures it.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands/plan_inputs.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/run_plan.hpp"

namespace gpuhmm::cli {

/// What a run on a sample has reported.
struct TrialRun {
  RunCosts costs;
  std::vector<std::string> engines;  ///< descriptions, one for each section of the profiles
  std::vector<DeviceCosts> devices;  ///< of all sections
  double batch_residues = 0, batch_sequences = 0;
  std::vector<std::string> warnings;

  /// Seconds in which kernels were being built, of all devices and sections.
  double build_seconds() const;
};

/// Runs samples of one run. What they write is lost. Each has a process with the memory of this one, so that
/// no other thread may run and no device may be open here.
class TrialRunner {
 public:
  /// `arguments`: of a search or a scan. To be made before inputs are read: a run begins with the memory that
  /// this process has now.
  TrialRunner(Arguments arguments, ReportKind kind);

  /// `whole`: the size of the whole run. Throws UsageError, FileError or DeviceError with the message of an
  /// error of the run.
  TrialRun run(const PlanInputs::Sample& sample, const RunSize& whole) const;

 private:
  Arguments arguments_;
  ReportKind kind_;
  double own_bytes_;
};

}  // namespace gpuhmm::cli
