// `gpuhmm scan`: sequences against a profile library (hmmpfam).
#include "cli/command_scan.hpp"

#include "cli/output_observer.hpp"
#include "formats/database/database_reader.hpp"
#include "search/engines.hpp"
#include "search/scan.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
Scans every sequence of the file SEQUENCES (FASTA, UniProt, EMBL, GenBank,
Stockholm and others, or a database made by `gpuhmm makedb`) against every
profile of the file PROFILES (HMMER2 text or binary, HMMER3 text). Either may be
gzipped or '-' for standard input; a prepared database may not.

Standard output is the report of HMMER 2.3.2's hmmpfam, one block for each
sequence. If a table or JSON is sent to standard output, the report is left out
unless -o gives it a file.

Output files appear when all is done; a scan that fails leaves none behind.)";

constexpr const char* kExamples = R"(
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

// Throws SearchError if the profiles are of another alphabet than the one asked for.
void check_alphabet(const ScanRequest& request, const Alphabet& found) {
  if (!request.alphabet || *request.alphabet == found.kind()) return;
  const auto lower = [](AlphabetKind kind) { return kind == AlphabetKind::Amino ? "protein" : "nucleic"; };
  throw SearchError(request.run.profiles + ": holds " + lower(found.kind()) + " profiles; expected " +
                    lower(*request.alphabet) + " ones");
}

int run(const Arguments& arguments) {
  ScanRequest request{run_request(arguments, ReportKind::Scan), std::nullopt, ScanCounting::Serial};
  if (arguments.options.count("nucleic") > 0) request.alphabet = AlphabetKind::Nucleic;
  return run_scan(request);
}

}  // namespace

int run_scan(const ScanRequest& request) {
  const RunRequest& asked = request.run;
  EngineMaker maker(asked.device, asked.threads);
  const LocatedInputs inputs = locate_inputs(asked);
  maker.begin(expected_cells(inputs));
  const SequenceSource sequences(inputs.sequences, asked.format, asked.threads, asked.empty_input);
  maker.check();
  Observer observer(asked);
  ScanOptions options{options_for(asked, maker, observer.meter())};
  options.counting = request.counting;
  options.device_named = maker.named();
  scan([&] { return ProfileBlocks(inputs.profiles, asked.threads); }, is_reopenable(inputs.profiles),
       [&](const Alphabet& alphabet) {
         check_alphabet(request, alphabet);
         return sequences.open(alphabet);
       },
       options, observer);
  return kDone;
}

Command scan_command() {
  return {"scan",
          "PROFILES SEQUENCES",
          "Scan sequences against a profile library (hmmpfam)",
          kDescription,
          kExamples,
          options,
          run};
}

}  // namespace gpuhmm::cli
