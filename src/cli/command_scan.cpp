// `gpuhmm scan`; see the header.
#include "cli/command_scan.hpp"

#include "cli/progress.hpp"
#include "cli/search_outputs.hpp"
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

class Observer : public ScanObserver {
 public:
  Observer(SearchOutputs& outputs, ProgressLine& progress) : outputs_(outputs), progress_(progress) {}

  ResultWriter result(const SequenceView& query, ScanResult&& result) override {
    const auto texts = std::make_shared<QueryTexts>(outputs_.texts(query, std::move(result)));
    return [this, texts] {
      const auto pause = progress_.pause();
      outputs_.write(std::exchange(*texts, {}));
    };
  }
  void warning(const std::string& message) override { progress_.warn(message); }

 private:
  SearchOutputs& outputs_;
  ProgressLine& progress_;
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
  ScanOptions options;
  options.thresholds = asked.thresholds;
  options.alignments = asked.alignments();
  options.counting = request.counting;
  options.threads = asked.threads;
  if (asked.batch_residues) options.batch_residues = *asked.batch_residues;
  options.verification = asked.verification;
  options.check_alphabet = asked.check_alphabet;
  EngineMaker maker(asked.device, options.threads);
  options.device_named = maker.named();
  options.make_engines = [&maker](const ExpectedWork& work, const Warning& warn) {
    return maker.make(work, warn);
  };
  const LocatedInputs inputs = locate_inputs(asked);
  maker.begin(expected_cells(inputs));
  const SequenceSource sequences(inputs.sequences, asked.format, options.threads, asked.empty_input);
  maker.check();
  SearchOutputs outputs(asked.paths, asked.style);
  ProgressLine progress(asked.quiet, kCells);
  options.meter = &progress.meter();
  Observer observer(outputs, progress);
  const SearchStatistics statistics =
      scan([&] { return ProfileBlocks(inputs.profiles, options.threads); }, is_reopenable(inputs.profiles),
           [&](const Alphabet& alphabet) {
             check_alphabet(request, alphabet);
             return sequences.open(alphabet);
           },
           options, observer);
  progress.finish();
  outputs.commit();
  if (asked.statistics) print_statistics(statistics, {});
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
