// Declares one function per subcommand; each returns the subcommand's entry for the table in command.hpp.
#pragma once

#include "cli/command.hpp"

namespace gpuhmm::cli {

Command align_command();
Command bench_command();
Command build_command();
Command calibrate_command();
Command convert_command();
Command devices_command();
Command emit_command();
Command fetch_command();
Command help_command();
Command index_command();
Command kmers_command();
Command makedb_command();
Command merge_command();
Command plan_command();
Command press_command();
Command reduce_command();
Command scan_command();
Command search_command();
Command segments_command();
Command serve_command();
Command sort_command();
Command stat_command();
Command submatrix_command();
Command subsequence_command();

}  // namespace gpuhmm::cli
