// Runs that are cut into pieces: with --checkpoint, and with --mpi by several processes.
#pragma once

#include "cli/commands/shard.hpp"

namespace gpuhmm::cli {

/// Does the run piece by piece, keeps them in the folder of --checkpoint, writes the outputs from them, and
/// ends the program. Throws UsageError, and what the run throws.
void run_with_checkpoint(const Arguments& arguments, ReportKind kind, RunFunction run);

/// The same with the pieces shared among the ranks of an MPI run; rank 0 keeps them and writes the outputs.
void run_by_mpi(const Arguments& arguments, ReportKind kind, RunFunction run);

}  // namespace gpuhmm::cli
