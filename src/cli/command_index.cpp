// `gpuhmm index`; see the header.
#include "cli/command_index.hpp"

#include <string>

#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "formats/profile/profile_index.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
Writes PROFILES.ghpi, which says where in the file PROFILES (HMMER2 text or
binary, HMMER3 text; a file, not compressed) each profile begins. All profiles
are read and checked. An older index is replaced; one that no longer fits its
file is refused when it is used.)";

OptionTable options() {
  OptionTable all("options");
  add_quiet_option(all, "do not tell what was made");
  add_stats_option(all);
  return all;
}

int run(const Arguments& arguments) {
  const std::string& path = arguments.positional[0];
  RunStatistics statistics(wants_stats(arguments.options));
  const ProfileIndex index = ProfileIndex::make(path);
  index.write();
  if (!is_quiet(arguments.options)) {
    write_message("",
                  profile_index_path(path) + ": " + std::to_string(index.profiles().size()) + " profiles");
  }
  statistics.count("profiles", index.profiles().size());
  statistics.print();
  return kDone;
}

}  // namespace

Command index_command() {
  return {"index",
          "PROFILES",
          "Index a profile file for access by name or accession (hmmindex)",
          kDescription,
          "gpuhmm index Pfam_ls",
          options,
          run};
}

}  // namespace gpuhmm::cli
