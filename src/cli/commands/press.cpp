// `gpuhmm press`: HMMER3 profiles for quick scans (hmmpress).
#include "cli/command.hpp"
#include "cli/commands.hpp"
#include "cli/commands/press_summary.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(press PROFILES
Press HMMER3 profiles for hmmscan (hmmpress)

Writes PROFILES.h3m, .h3i, .h3f and .h3p: the profiles in binary form, their index
and their scores, byte for byte as HMMER 3.3.2's hmmpress does. `gpuhmm scan` and
`gpuhmm search` read PROFILES.h3m in place of PROFILES, and so do HMMER3's programs.

examples:
gpuhmm press Pfam-A.hmm
gpuhmm press --force library.hmm)";

OptionTable options() {
  OptionTable all("options");
  all.add("force,f", "replace pressed files that exist");
  add_message_options(all, "no summary on standard output");
  return all;
}

void run(const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  const std::string& path = arguments.positional[0];
  const hmmer3::PressReport report = hmmer3::press(path, arguments.has("force"));
  if (!arguments.silent()) print(press_summary(report, path));
  statistics.count("profiles", report.profiles);
  statistics.print();
}

}  // namespace

Command press_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
