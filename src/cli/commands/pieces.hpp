// What runs with --checkpoint and with --mpi have in common: they begin with what is done, and end with
// outputs.
#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "cli/commands/checkpoint.hpp"
#include "cli/commands/run_context.hpp"
#include "gpuhmm/parts.hpp"

namespace gpuhmm::cli {

/// Checks the files of the run, and describes its pieces. Reads both inputs. Throws UsageError, FileError.
PartHeader header_of_pieces(const Arguments& arguments, ReportKind kind, const RunContext& context);

/// The folder of --checkpoint; without it one in the current folder, named after the run.
std::string checkpoint_folder(const Arguments& arguments, const PartHeader& header);

/// Says at signals that end the program how to go on.
void announce(const Checkpoint& checkpoint);

/// Writes the outputs of the run from its pieces, removes these, and ends the program.
[[noreturn]] void finish_pieces(const Arguments& arguments, ReportKind kind, Checkpoint& checkpoint);

}  // namespace gpuhmm::cli
