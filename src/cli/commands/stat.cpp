// `gpuhmm stat`: a table of the profiles in a file.
#include "cli/commands.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/tables.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(stat PROFILES
Describe the profiles of a file

Prints one line for each profile of the file PROFILES: name, accession, length
in nodes, alphabet, style (ls, fs, s or g), calibration (mu and lambda), the
cut-offs GA, TC and NC, the number of sequences it was built from, and its
consensus. '-' stands for a missing value. PROFILES may be in any format that
`gpuhmm search` reads, but not of both versions, gzipped, or '-' for standard
input.

examples:
gpuhmm stat Pfam_ls
gpuhmm stat --format tab smart.hmm.gz | cut -f 2-4
gpuhmm stat --format json Pfam_ls > profiles.json)";

OptionTable options() {
  OptionTable all("options");
  add_format_option(
      all, {"space", "tab", "json"},
      "space (padded), tab, or json: one object per line, with description, date and command log");
  all.alias("table-format", "format").alias("json", "format", "json");
  add_output_option(all, "write the table");
  add_message_options(all, "only errors on standard error");
  return all;
}

void run(const Arguments& arguments) {
  const TableLayout layout = table_layout_from(arguments);
  const bool json = arguments.get("format") == "json";
  RunStatistics statistics(arguments.has("stats"));
  const std::string path = locate_file(arguments.positional[0], "HMMERDB");
  const std::string output = output_from(arguments);
  FileRoles().reads(path).writes(output);
  ProfileReader profiles(path);
  OutputFile out(output);
  ProfileTable table(layout);
  std::int64_t number = 0;
  while (const std::optional<Profile> profile = profiles.next()) {
    ++number;
    if (json) {
      write_profile_json(sink_of(out), number, *profile);
    } else {
      table.add(*profile);
    }
  }
  if (!json) table.write(sink_of(out));
  out.commit();
  statistics.count("profiles", static_cast<std::uint64_t>(number));
  statistics.print();
}

}  // namespace

Command stat_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
