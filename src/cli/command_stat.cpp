// `gpuhmm stat`: a table of the profiles in a file.
#include "cli/command_stat.hpp"

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "formats/io/locate.hpp"
#include "formats/profile/profile_reader.hpp"
#include "formats/report/profile_table.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription =
    "Prints one line for each profile of the file PROFILES: name, accession, length in nodes, alphabet, "
    "style (ls, fs, s "
    "or\ng), calibration (mu and lambda), the cut-offs GA, TC and NC, the number of sequences it was built "
    "from, and its\n"
    "consensus. What a profile does not have is '-'. PROFILES may be of any kind that `gpuhmm search` reads, "
    "gzipped, or\n"
    "'-' for standard input.";

po::options_description options() {
  po::options_description options("options");
  options.add_options()("table-format", po::value<std::string>()->value_name("F")->default_value("space"),
                        "layout: space (padded) or tab")(
      "json", "one JSON object a line instead, with description, date and command log");
  return options;
}

int run(const Arguments& arguments) {
  const TableLayout layout = table_layout_from(arguments.options);
  const bool json = arguments.options.count("json") > 0;
  const std::string path = locate_file(arguments.positional[0], "HMMERDB");
  FileRoles().reads(path).writes("-");
  ProfileReader profiles(path);
  OutputFile out("-");
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
  return kDone;
}

}  // namespace

Command stat_command() {
  return {
      "stat",
      "PROFILES",
      "Describe the profiles of a file",
      kDescription,
      "gpuhmm stat Pfam_ls\n"
      "gpuhmm stat --table-format tab smart.hmm.gz | awk -F '\\t' '$7 == \"-\" {print $2}'  # not calibrated",
      options,
      run};
}

}  // namespace gpuhmm::cli
