// `gpuhmm scan`: sequences against a profile library (hmmpfam).
#include "gpuhmm/scan.hpp"

#include "cli/commands.hpp"
#include "cli/commands/output_observer.hpp"
#include "cli/options.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(scan PROFILES SEQUENCES
Scan sequences against a profile library (hmmpfam)

Scans every sequence of the file SEQUENCES (FASTA, UniProt, EMBL, GenBank,
Stockholm and others, or a database made by `gpuhmm makedb`) against every
profile of the file PROFILES (HMMER2 text or binary, HMMER3 text). Either may be
gzipped or '-' for standard input; a prepared database may not.

Standard output is the report of HMMER 2.3.2's hmmpfam, one block for each
sequence. If a table or JSON is sent to standard output, the report is left out
unless -o gives it a file.

Output files appear when all is done; a scan that fails leaves none behind.

examples:
gpuhmm scan --cut_ga Pfam_ls protein.fasta
gpuhmm scan -n Dfam.hmm genome.fna.gz
gpuhmm scan --domtblout - Pfam_ls - < proteins.fasta)";

OptionTable options() { return run_options(ReportKind::Scan); }

class Observer : public OutputObserver<ScanObserver> {
 public:
  using OutputObserver::OutputObserver;

  ResultWriter result(const SequenceView& query, ScanResult&& result) override {
    return writer(outputs().texts(query, std::move(result)));
  }
};

// The alphabet that profiles must have, if others are to be refused: hmmpfam takes one only.
std::optional<AlphabetKind> alphabet_of(const Arguments& arguments) {
  const std::optional<AlphabetKind> asked = alphabet_from(arguments);
  if (!arguments.drop_in) return asked;
  if (asked == AlphabetKind::Nucleic && arguments.has("xnu")) {
    throw SearchError("-n and --xnu exclude each other: only protein sequences are masked");
  }
  return asked.value_or(AlphabetKind::Amino);
}

// Throws SearchError if the profiles of the file are of another alphabet than the one asked for.
void check_alphabet(const std::string& profiles, std::optional<AlphabetKind> asked, AlphabetKind found) {
  if (!asked || *asked == found) return;
  const auto lower = [](AlphabetKind kind) { return kind == AlphabetKind::Amino ? "protein" : "nucleic"; };
  throw SearchError(profiles + ": holds " + lower(found) + " profiles; expected " + lower(*asked) + " ones");
}

void run(const Arguments& arguments) {
  const RunRequest asked = run_request(arguments, ReportKind::Scan);
  const std::optional<AlphabetKind> alphabet = alphabet_of(arguments);
  EngineMaker maker(asked.device, asked.threads);
  const LocatedInputs inputs = locate_inputs(asked);
  maker.begin(expected_cells(inputs));
  const SequenceSource sequences(inputs.sequences, asked.format, asked.threads, asked.empty_input);
  maker.check();
  Observer observer(asked, arguments);
  ScanOptions options{options_for(asked, maker, observer.meter())};
  options.counting = has_worker_threads(arguments) ? ScanCounting::Threaded : ScanCounting::Serial;
  options.device_named = maker.named();
  scan([&] { return ProfileBlocks(inputs.profiles, asked.threads); }, is_reopenable(inputs.profiles),
       [&](const Alphabet& found) {
         check_alphabet(asked.profiles, alphabet, found.kind());
         return sequences.open(found);
       },
       options, observer);
}

}  // namespace

Command scan_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
