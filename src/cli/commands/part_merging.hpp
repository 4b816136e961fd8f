// Makes the outputs of a run from its parts.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands/run_files.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/parts.hpp"

namespace gpuhmm::cli {

/// Opens parts, as many as the system lets a process open. Throws FileError.
std::vector<PartReader> open_parts(const std::vector<std::string>& paths);

/// Writes the outputs that `arguments`, those of a search or a scan, ask for, from all parts of the run, in
/// the order of their shares; puts them in place. Throws FileError, also for parts that do not belong
/// together.
void merge_parts(std::vector<PartReader>& parts, const Arguments& arguments, ReportKind kind,
                 RunFiles& files);

}  // namespace gpuhmm::cli
