// `gpuhmm makedb`: prepares a sequence database.
#include "cli/command_makedb.hpp"

#include <iostream>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "formats/database/make_database.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
Writes the sequences of the file SEQUENCES (any format that `gpuhmm search`
reads, gzipped or not, '-' for standard input) to the prepared database
DATABASE. Commands that read sequences take it in their place and give the same
answers without parsing. It holds residues of one alphabet, so only profiles of
that alphabet can be searched against it.

The database appears when all is done; '-' is standard output. Names and
descriptions pass through the folder for temporary files (TMPDIR).)";

constexpr const char* kExamples = R"(
gpuhmm makedb uniprot.fasta.gz uniprot.ghdb
gpuhmm search Pkinase.hmm uniprot.ghdb
zcat genomes.fna.gz | gpuhmm makedb --alphabet nucleic - genomes.ghdb)";

OptionTable options() {
  OptionTable all("options");
  add_alphabet_option(all, "guessed from the first million residues");
  add_informat_option(all, "SEQUENCES");
  add_quiet_option(all, "do not tell what was made");
  add_stats_option(all);
  return all;
}

int run(const Arguments& arguments) {
  const std::string& input = arguments.positional[0];
  const std::string& output = arguments.positional[1];
  const std::optional<AlphabetKind> alphabet = alphabet_from(arguments.options);
  FileRoles().reads(input).writes(output);
  RunStatistics statistics(wants_stats(arguments.options));
  const DatabaseSummary made = make_database(input, format_from(arguments.options), output, alphabet);
  if (!is_quiet(arguments.options)) {
    std::cerr << made.sequences << " sequences, " << made.residues << " residues, alphabet "
              << (made.alphabet == AlphabetKind::Amino ? "amino" : "nucleic")
              << (alphabet ? "" : " (guessed; --alphabet says otherwise)") << "\n";
  }
  statistics.count("sequences", made.sequences);
  statistics.count("residues", made.residues);
  statistics.print();
  return kDone;
}

}  // namespace

Command makedb_command() {
  return {"makedb",
          "SEQUENCES DATABASE",
          "Prepare a sequence database, so that searches need not parse it",
          kDescription,
          kExamples,
          options,
          run};
}

}  // namespace gpuhmm::cli
