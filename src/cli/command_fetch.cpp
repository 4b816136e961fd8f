// `gpuhmm fetch`: one profile of a file (hmmfetch).
#include "cli/command_fetch.hpp"

#include <charconv>
#include <sstream>

#include "cli/options.hpp"
#include "formats/io/locate.hpp"
#include "formats/io/output.hpp"
#include "formats/profile/find_profile.hpp"
#include "formats/profile/profile_writer.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription =
    "Writes the profile of the file PROFILES whose name or accession is KEY, as HMMER2 text, as hmmfetch "
    "does. PROFILES "
    "may\nbe of any kind that `gpuhmm search` reads, gzipped, or '-' for standard input. No index is needed.";

po::options_description options() {
  po::options_description options("options");
  options.add_options()("number,n",
                        "KEY is a number: 0 for the first profile in the order of names, and so on")(
      "output,o", po::value<std::string>()->value_name("FILE"), "write the profile to FILE");
  return options;
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

int run(const Arguments& arguments) {
  const std::string& path = arguments.positional[0];
  const std::string& key = arguments.positional[1];
  const bool by_number = arguments.options.count("number") > 0;
  const std::optional<Profile> profile = find(locate_file(path, "HMMERDB"), key, by_number);
  if (!profile) {
    throw FileError(path + ": has no profile " +
                    (by_number ? "number " + key : "with the name or accession '" + key + "'"));
  }
  std::ostringstream text;
  write_hmmer2_text(text, *profile);
  OutputFile out(text_option(arguments.options, "output").value_or("-"));
  out.write(text.view());
  out.commit();
  return kDone;
}

}  // namespace

Command fetch_command() {
  return {"fetch",
          "PROFILES KEY",
          "Write one profile of a file (hmmfetch)",
          kDescription,
          "gpuhmm fetch Pfam_ls Pkinase > Pkinase.hmm\n"
          "gpuhmm fetch Pfam_ls.gz PF00069.24 | gpuhmm search - uniprot.fasta",
          options,
          run};
}

}  // namespace gpuhmm::cli
