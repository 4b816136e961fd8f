// `gpuhmm search`: profiles against a sequence database (hmmsearch).
#include "search/search.hpp"

#include "cli/commands/commands.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/commands/search_outputs.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "formats/database/database_reader.hpp"
#include "search/engines.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(search PROFILES SEQUENCES
Search profiles against a sequence database (hmmsearch)

Searches every profile of the file PROFILES (HMMER2 text or binary, HMMER3 text)
against every sequence of the file SEQUENCES (FASTA, UniProt, EMBL, GenBank,
Stockholm and others, or a database made by `gpuhmm makedb`). Either may be
gzipped or '-' for standard input; a prepared database may not.

Standard output is the report of HMMER 2.3.2's hmmsearch, one for each profile.
If a table or JSON is sent to standard output, the report is left out unless -o
gives it a file.

Output files appear when all is done; a search that fails leaves none behind.

examples:
gpuhmm search Pkinase.hmm uniprot.fasta.gz
gpuhmm search --cut_ga --noali --domtblout hits.tbl Pfam.hmm proteome.fasta
gpuhmm search --tblout - --format tab smart.hmm - < proteins.fasta | cut -f 1)";

OptionTable options() { return run_options(ReportKind::Search); }

class Observer : public SearchObserver {
 public:
  Observer(SearchOutputs& outputs, ProgressLine& progress) : outputs_(outputs), progress_(progress) {}

  ResultWriter result(const Profile& profile, const Thresholds& thresholds, SearchResult&& result) override {
    const Survivors survivors{profile.name, result.rescored, result.searched};
    const auto texts = std::make_shared<QueryTexts>(outputs_.texts(profile, thresholds, std::move(result)));
    return [this, survivors, texts] {
      const auto pause = progress_.pause();
      outputs_.write(std::exchange(*texts, {}));
      survivors_.push_back(survivors);
    };
  }
  void warning(const std::string& message) override { progress_.warn(message); }

  /// Of all profiles, in file order.
  const std::vector<Survivors>& survivors() const { return survivors_; }

 private:
  SearchOutputs& outputs_;
  ProgressLine& progress_;
  std::vector<Survivors> survivors_;
};

void run(const Arguments& arguments) {
  const RunRequest asked = run_request(arguments, ReportKind::Search);
  SearchOptions options;
  options.thresholds = asked.thresholds;
  options.alignments = asked.alignments();
  options.histogram = asked.style.histogram && asked.paths.report.has_value();
  options.threads = asked.threads;
  if (asked.batch_residues) options.batch_residues = *asked.batch_residues;
  options.verification = asked.verification;
  options.check_alphabet = asked.check_alphabet;
  if (arguments.drop_in) options.most_profiles = 1;     // hmmsearch reads no others
  options.count_empty = has_worker_threads(arguments);  // sequences without residues
  options.ends_program = true;
  EngineMaker maker(asked.device, options.threads);
  options.make_engines = [&maker](const ExpectedWork& work, const Warning& warn) {
    return maker.make(work, warn);
  };
  const LocatedInputs inputs = locate_inputs(asked);
  maker.begin(expected_cells(inputs));
  ProfileReader profiles(inputs.profiles);
  const SequenceSource sequences(inputs.sequences, asked.format, options.threads, asked.empty_input);
  maker.check();
  SearchOutputs outputs(asked.paths, asked.style);
  ProgressLine progress(arguments.silent(), kCells);
  options.meter = &progress.meter();
  Observer observer(outputs, progress);
  const SearchStatistics statistics = search(
      profiles, [&](const Alphabet& alphabet) { return sequences.open(alphabet); },
      is_reopenable(inputs.sequences), options, observer);
  progress.finish();
  outputs.commit();
  if (arguments.has("stats")) print_statistics(statistics, observer.survivors());
  leave(kDone);
}

}  // namespace

Command search_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
