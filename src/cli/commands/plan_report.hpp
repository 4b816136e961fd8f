// The text of a plan, for readers and for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/trial_run.hpp"
#include "gpuhmm/run_plan.hpp"

namespace gpuhmm::cli {

/// What is reported about a run.
struct Plan {
  RunSize whole;
  bool profiles_counted = true, sequences_counted = true;  ///< whether the size is exact
  RunLoops loops;
  TrialRun last;             ///< the sample run last
  double build_seconds = 0;  ///< in which kernels were built that later runs find built
  std::vector<RunTrial> trials;
  Forecast forecast;
};

/// A line for each fact.
std::string plan_text(const Plan& plan);
/// One object, on one line.
std::string plan_json(const Plan& plan);
/// A line for each sample, as --stats prints them.
std::string trial_lines(const Plan& plan);

}  // namespace gpuhmm::cli
