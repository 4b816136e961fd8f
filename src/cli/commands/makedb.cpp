// `gpuhmm makedb`: prepares a sequence database.
#include <iostream>

#include "cli/commands.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/database.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(makedb SEQUENCES DATABASE
Prepare a sequence database, so that searches need not parse it

Writes the sequences of the file SEQUENCES (any format that `gpuhmm search`
reads, gzipped or not, '-' for standard input) to the prepared database
DATABASE ('-' for standard output). Commands that read sequences accept the
database instead and give the same answers without parsing. It has residues of
one alphabet, so only profiles of that alphabet, of HMMER2 or HMMER3, can be
searched against it.

The database appears at the end of the run. Names and descriptions go through
the folder for temporary files (TMPDIR).

examples:
gpuhmm makedb uniprot.fasta.gz uniprot.ghdb
gpuhmm search Pkinase.hmm uniprot.ghdb
zcat genomes.fna.gz | gpuhmm makedb --alphabet nucleic - genomes.ghdb)";

OptionTable options() {
  OptionTable all("options");
  add_output_argument(all, "output,o", 1, "DATABASE");
  add_alphabet_option(all, "guessed from the first million residues");
  add_informat_option(all, "SEQUENCES");
  add_message_options(all, "no report of what was written");
  return all;
}

void run(const Arguments& arguments) {
  const std::string& input = arguments.positional[0];
  const std::string& output = arguments.positional[1];
  const std::optional<AlphabetKind> alphabet = alphabet_from(arguments);
  FileRoles().reads(input).writes(output);
  RunStatistics statistics(arguments.has("stats"));
  const DatabaseSummary made = make_database(input, informat_from(arguments), output, alphabet);
  if (!arguments.has("quiet")) {
    std::cerr << made.sequences << " sequences, " << made.residues << " residues, alphabet "
              << (made.alphabet == AlphabetKind::Amino ? "amino" : "nucleic")
              << (alphabet ? "" : " (guessed; --alphabet sets it)") << "\n";
    if (!made.hmmer3_failure.empty()) {
      std::cerr << input << ": searches with HMMER3's profiles will fail: " << made.hmmer3_failure << "\n";
    }
  }
  statistics.count("sequences", made.sequences);
  statistics.count("residues", made.residues);
  statistics.print();
}

}  // namespace

Command makedb_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
