// `gpuhmm stat`: a table of the profiles in a file.
#include "cli/command_stat.hpp"

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "cli/run_statistics.hpp"
#include "formats/io/locate.hpp"
#include "formats/profile/profile_reader.hpp"
#include "formats/report/profile_table.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
Prints one line for each profile of the file PROFILES: name, accession, length
in nodes, alphabet, style (ls, fs, s or g), calibration (mu and lambda), the
cut-offs GA, TC and NC, the number of sequences it was built from, and its
consensus. What a profile does not have is '-'. PROFILES may be of any kind that
`gpuhmm search` reads, gzipped, or '-' for standard input.)";

constexpr const char* kExamples = R"(
gpuhmm stat Pfam_ls
gpuhmm stat --format tab smart.hmm.gz | cut -f 2-4
gpuhmm stat --format json Pfam_ls > profiles.json)";

OptionTable options() {
  OptionTable all("options");
  add_format_option(all, {"space", "tab", "json"},
                    "space (padded), tab, or json: an object a line, with description, date and command log");
  all.alias("table-format", "format").alias("json", "format", "json");
  add_output_option(all, "write the table");
  add_quiet_option(all, "nothing on standard error but errors");
  add_stats_option(all);
  return all;
}

int run(const Arguments& arguments) {
  const TableLayout layout = table_layout_from(arguments.options);
  const bool json = output_format_from(arguments.options) == "json";
  RunStatistics statistics(wants_stats(arguments.options));
  const std::string path = locate_file(arguments.positional[0], "HMMERDB");
  const std::string output = output_from(arguments.options);
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
  return kDone;
}

}  // namespace

Command stat_command() {
  return {"stat", "PROFILES", "Describe the profiles of a file", kDescription, kExamples, options, run};
}

}  // namespace gpuhmm::cli
