// `gpuhmm fetch`: one profile of a file (hmmfetch).
#include <charconv>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(fetch PROFILES KEY
Write one profile of a file (hmmfetch)

Writes the profile of the file PROFILES whose name or accession is KEY, as
HMMER2 text, as hmmfetch does. PROFILES may be in any format that
`gpuhmm search` reads, but not of both versions, gzipped, or '-' for standard
input. An index of the file (`gpuhmm index`, or HMMER's .ssi) is used if there
is one.

examples:
gpuhmm fetch Pfam_ls Pkinase > Pkinase.hmm
gpuhmm fetch Pfam_ls.gz PF00069.24 | gpuhmm search - uniprot.fasta)";

OptionTable options() {
  OptionTable all("options");
  all.add("number,n", "KEY is a number: 0 for the first profile in the order of names, and so on");
  add_output_option(all, "write the profile");
  add_message_options(all, "only errors on standard error");
  return all;
}

std::optional<Profile> find(const std::string& path, const std::string& key, bool by_number) {
  if (!by_number) return find_profile(path, key);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (error != std::errc{} || end != key.data() + key.size()) {
    throw UsageError("KEY is '" + key + "'; with -n a number is expected");
  }
  return find_profile(path, number);
}

void run(const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  const std::string &profiles = arguments.positional[0], &key = arguments.positional[1];
  const std::string path = locate_file(profiles, "HMMERDB"), output = output_from(arguments);
  FileRoles().reads(path).writes(output);
  const bool by_number = arguments.has("number");
  const std::optional<Profile> profile = find(path, key, by_number);
  if (!profile) {
    throw FileError(profiles + ": has no profile " +
                    (by_number ? "number " + key : "with the name or accession '" + key + "'"));
  }
  std::ostringstream text;
  write_hmmer2_text(text, *profile);
  OutputFile out(output);
  out.write(text.view());
  out.commit();
  statistics.count("profiles", 1);
  statistics.print();
}

}  // namespace

Command fetch_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
