// `gpuhmm bench NAME`: repeats the experiment of a publication.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "experiment/experiment.hpp"

namespace gpuhmm::cli {

/// All experiments, in the order in which the help lists them.
std::vector<experiment::Experiment> experiments();

/// Measures the tables asked for and writes them. Throws UsageError, DeviceError, FileError, EngineFailure,
/// WrongResult.
void run_experiment(const experiment::Experiment& experiment, const Arguments& arguments);

}  // namespace gpuhmm::cli
