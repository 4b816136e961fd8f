// `gpuhmm index`: the index of a profile file (hmmindex).
#include <algorithm>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/file_roles.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/profile_index.hpp"
#include "gpuhmm/report.hpp"
#include "util/format.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(index PROFILES
Index a profile file for access by name or accession (hmmindex)

Writes PROFILES.ghpi, which lists where in the file PROFILES (HMMER2 text or
binary, HMMER3 text; not compressed, not standard input) each profile begins.
All profiles are read and checked. An older index is replaced. Commands refuse
an index that no longer fits its file.

examples:
gpuhmm index Pfam_ls)";

OptionTable options() {
  OptionTable all("options");
  add_message_options(all, "no report of what was written");
  return all;
}

// Does what hmmindex does: writes HMMER's index, which must not exist yet, and a report.
void write_hmmer2_index(const std::string& profiles) {
  const std::string ssi_path = ssi_index_path(profiles);
  if (std::filesystem::exists(ssi_path)) {
    throw FileError(ssi_path + ": exists already; expected none, remove it first");
  }
  const ProfileIndex index = ProfileIndex::make(profiles);
  write_ssi_index(index);
  OutputFile report("-");
  const TextSink print = sink_of(report);
  write_hmmer2_banner(print, "hmmindex -- create SSI index for an HMM database", GPUHMM_VERSION);
  print("HMM file:                 " + profiles + "\n" + dashed_line(kSettingsDashes) +
        "\nDetermining offsets for " + profiles + ", please be patient...\nComplete.\n" +
        "HMM file:       " + profiles + "\nSSI index:      " + ssi_path + "\n");
  const auto accessions = std::ranges::count_if(
      index.profiles(), [](const IndexedProfile& profile) { return !profile.accession.empty(); });
  const std::size_t names = index.profiles().size();
  print(format("# of HMMS:      %zu\nHMM names:      %zu\nHMM accessions: %td\n", names, names, accessions));
  report.commit();
}

void run(const Arguments& arguments) {
  const std::string& path = arguments.positional[0];
  if (arguments.drop_in) return write_hmmer2_index(path);
  FileRoles().reads(path).writes(profile_index_path(path));
  RunStatistics statistics(arguments.has("stats"));
  const ProfileIndex index = ProfileIndex::make(path);
  index.write();
  if (!arguments.has("quiet")) {
    write_message("",
                  profile_index_path(path) + ": " + std::to_string(index.profiles().size()) + " profiles");
  }
  statistics.count("profiles", index.profiles().size());
  statistics.print();
}

}  // namespace

Command index_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
