// `gpuhmm fetch`: one profile of a file (hmmfetch).
#include "cli/command_fetch.hpp"

#include <charconv>
#include <sstream>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "formats/io/locate.hpp"
#include "formats/io/output.hpp"
#include "formats/profile/find_profile.hpp"
#include "formats/profile/profile_writer.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
Writes the profile of the file PROFILES whose name or accession is KEY, as
HMMER2 text, as hmmfetch does. PROFILES may be of any kind that `gpuhmm search`
reads, gzipped, or '-' for standard input. An index (`gpuhmm index`, or HMMER's
own .ssi) is used if there is one.)";

constexpr const char* kExamples = R"(
gpuhmm fetch Pfam_ls Pkinase > Pkinase.hmm
gpuhmm fetch Pfam_ls.gz PF00069.24 | gpuhmm search - uniprot.fasta)";

OptionTable options() {
  OptionTable all("options");
  all.add("number,n", "KEY is a number: 0 for the first profile in the order of names, and so on");
  add_output_option(all, "write the profile");
  add_quiet_option(all, "nothing on standard error but errors");
  add_stats_option(all);
  return all;
}

std::optional<Profile> find(const FetchRequest& request) {
  const std::string path = locate_file(request.profiles, "HMMERDB");
  FileRoles().reads(path).writes(request.output);
  const std::string& key = request.key;
  if (!request.by_number) return find_profile(path, key);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (error != std::errc{} || end != key.data() + key.size()) {
    throw UsageError("KEY is '" + key + "'; with -n a number is expected");
  }
  return find_profile(path, number);
}

int run(const Arguments& arguments) {
  RunStatistics statistics(wants_stats(arguments.options));
  const int code = run_fetch({arguments.positional[0], arguments.positional[1],
                              arguments.options.count("number") > 0, output_from(arguments.options)});
  statistics.count("profiles", 1);
  statistics.print();
  return code;
}

}  // namespace

int run_fetch(const FetchRequest& request) {
  const std::optional<Profile> profile = find(request);
  if (!profile) {
    throw FileError(
        request.profiles + ": has no profile " +
        (request.by_number ? "number " + request.key : "with the name or accession '" + request.key + "'"));
  }
  std::ostringstream text;
  write_hmmer2_text(text, *profile);
  OutputFile out(request.output);
  out.write(text.view());
  out.commit();
  return kDone;
}

Command fetch_command() {
  return {"fetch", "PROFILES KEY", "Write one profile of a file (hmmfetch)", kDescription, kExamples, options,
          run};
}

}  // namespace gpuhmm::cli
