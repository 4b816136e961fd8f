// The table of subcommands.
#include "cli/command_align.hpp"
#include "cli/command_bench.hpp"
#include "cli/command_build.hpp"
#include "cli/command_calibrate.hpp"
#include "cli/command_convert.hpp"
#include "cli/command_devices.hpp"
#include "cli/command_emit.hpp"
#include "cli/command_fetch.hpp"
#include "cli/command_help.hpp"
#include "cli/command_index.hpp"
#include "cli/command_kmers.hpp"
#include "cli/command_makedb.hpp"
#include "cli/command_reduce.hpp"
#include "cli/command_scan.hpp"
#include "cli/command_search.hpp"
#include "cli/command_segments.hpp"
#include "cli/command_sort.hpp"
#include "cli/command_stat.hpp"
#include "cli/command_submatrix.hpp"
#include "cli/command_subsequence.hpp"

namespace gpuhmm::cli {

std::span<const Command> commands() {
  static const Command table[] = {
      search_command(),  scan_command(),     makedb_command(),    index_command(),       calibrate_command(),
      convert_command(), fetch_command(),    stat_command(),      build_command(),       emit_command(),
      align_command(),   segments_command(), submatrix_command(), subsequence_command(), reduce_command(),
      kmers_command(),   sort_command(),     devices_command(),   bench_command(),       help_command()};
  return table;
}

std::string version_line() { return "gpuhmm " GPUHMM_VERSION " (BSD-3-Clause)"; }

}  // namespace gpuhmm::cli
