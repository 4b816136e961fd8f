// `gpuhmm index`; see the header.
#include "cli/command_index.hpp"

#include <iostream>

#include "cli/file_roles.hpp"
#include "formats/profile/profile_index.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

po::options_description options() {
  po::options_description all("options");
  all.add_options()("quiet", "do not tell what was made");
  return all;
}

int run(const Arguments& arguments) {
  const std::string& path = arguments.positional[0];
  FileRoles().reads(path).writes(profile_index_path(path));
  const ProfileIndex index = ProfileIndex::make(path);
  index.write();
  if (arguments.options.count("quiet") == 0) {
    std::cerr << profile_index_path(path) << ": " << index.profiles().size() << " profiles\n";
  }
  return kDone;
}

}  // namespace

Command index_command() {
  return {
      "index",
      "PROFILES",
      "Index a profile file for access by name or accession (hmmindex)",
      "Writes PROFILES.ghpi, which says where in the file PROFILES (HMMER2 text or binary, HMMER3 text; not "
      "compressed)\neach profile begins. All profiles are read and checked. An older index is replaced; one "
      "that no longer fits its\nfile is refused when it is used.",
      "gpuhmm index Pfam_ls",
      options,
      run};
}

}  // namespace gpuhmm::cli
