// `gpuhmm makedb`: prepares a sequence database.
#include "cli/command_makedb.hpp"

#include <iostream>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "formats/database/make_database.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription =
    "Writes the sequences of the file SEQUENCES (any format that `gpuhmm search` reads, gzipped or not, '-' "
    "for\n"
    "standard input) to the prepared database DATABASE. `gpuhmm search` takes it in place of SEQUENCES and "
    "gives\n"
    "the same answers without parsing. It holds residues of one alphabet, so only profiles of that alphabet "
    "can\n"
    "be searched against it.\n\n"
    "The database appears when all is done. Names and descriptions pass through the folder for temporary "
    "files\n"
    "(TMPDIR).";

po::options_description options() {
  po::options_description options("options");
  options.add_options()("alphabet", po::value<std::string>()->value_name("A"),
                        "amino or nucleic (default: guessed from the first million residues)")(
      "informat", po::value<std::string>()->value_name("S"),
      "format of SEQUENCES (default: told by content)")("quiet", "do not tell what was made");
  return options;
}

std::optional<AlphabetKind> alphabet_from(const po::variables_map& given) {
  const std::optional<std::string> name = text_option(given, "alphabet");
  if (!name) return std::nullopt;
  if (*name == "amino") return AlphabetKind::Amino;
  if (*name == "nucleic") return AlphabetKind::Nucleic;
  throw UsageError("option '--alphabet' expects amino or nucleic");
}

int run(const Arguments& arguments) {
  const std::string& input = arguments.positional[0];
  const std::string& output = arguments.positional[1];
  const std::optional<AlphabetKind> alphabet = alphabet_from(arguments.options);
  FileRoles().reads(input).writes(output);
  const DatabaseSummary made = make_database(input, format_from(arguments.options), output, alphabet);
  if (arguments.options.count("quiet") == 0) {
    std::cerr << made.sequences << " sequences, " << made.residues << " residues, alphabet "
              << (made.alphabet == AlphabetKind::Amino ? "amino" : "nucleic")
              << (alphabet ? "" : " (guessed; --alphabet says otherwise)") << "\n";
  }
  return kDone;
}

}  // namespace

Command makedb_command() {
  return {"makedb",
          "SEQUENCES DATABASE",
          "Prepare a sequence database, so that searches need not parse it",
          kDescription,
          "gpuhmm makedb uniprot.fasta.gz uniprot.ghdb\n"
          "gpuhmm search Pkinase.hmm uniprot.ghdb\n"
          "zcat genomes.fna.gz | gpuhmm makedb --alphabet nucleic - genomes.ghdb",
          options,
          run};
}

}  // namespace gpuhmm::cli
