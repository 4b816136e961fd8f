// `gpuhmm search`: profiles against a sequence database (hmmsearch).
#include "gpuhmm/search.hpp"

#include "cli/commands.hpp"
#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/hmmer3_run.hpp"
#include "cli/commands/output_observer.hpp"
#include "cli/commands/part_observer.hpp"
#include "cli/commands/profile_source.hpp"
#include "cli/commands/run_by_server.hpp"
#include "cli/commands/runs.hpp"
#include "cli/options.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(search PROFILES SEQUENCES
Search profiles against a sequence database (hmmsearch)

Searches every profile of the file PROFILES (HMMER2 or HMMER3, text or binary)
against every sequence of the file SEQUENCES (FASTA, UniProt, EMBL, GenBank,
Stockholm and others, or a database made by `gpuhmm makedb`). Either may be
gzipped or '-' for standard input; a prepared database may not.

Standard output is the report of hmmsearch, one for each profile: HMMER 2.3.2's
for HMMER2 profiles, HMMER 3.3.2's for HMMER3 profiles, in file order; a file may
hold both. --as 2 converts HMMER3 profiles to HMMER2, --as 3 refuses HMMER2
profiles. If a table or JSON goes to standard output, the report is left out
unless -o gives it a file.

--alignments, --compat, --null2, --forward and --xnu are for HMMER2 profiles
only. With HMMER3 profiles devices run all stages through Forward and Backward,
and share the domains with the threads; auto uses a GPU for large searches only.
Beside devices that --device names there are at most 32 threads, or 8 for each
device if that is more, unless --cpu says how many.

Output files appear at the end of the run; a search that fails leaves none.

examples:
gpuhmm search Pkinase.hmm uniprot.fasta.gz
gpuhmm search --cut_ga --noali --domtblout hits.tbl Pfam-A.hmm proteome.fasta
gpuhmm search --as 2 RRM_1.hmm proteome.fasta
gpuhmm search --tblout - --format tab smart.hmm - < proteins.fasta | cut -f 1)";

OptionTable options() { return run_options(ReportKind::Search); }

class Observer : public OutputObserver<SearchObserver> {
 public:
  using OutputObserver::OutputObserver;

  ResultWriter result(const Profile& profile, const Thresholds& thresholds, SearchResult&& result) override {
    const Survivors survivors{profile.name, result.rescored, result.searched};
    return writer(outputs().texts(profile, thresholds, std::move(result)), {survivors});
  }
};

void search_hmmer2(const Arguments& arguments, ProfileReader& profiles, RunSequences& sequences,
                   const RunSection& section) {
  if (!arguments.drop_in) refuse_hmmer3_options(arguments, ReportKind::Search);
  const RunRequest request = run_request(arguments, ReportKind::Search);
  check_files(request, section.context);
  RunEngines engines(request, section.context);
  const SequenceSource& source = sequences.source();
  engines.check();
  const auto search_observed = [&](auto&& observer) {
    SearchOptions options{engines.options(observer.meter())};
    options.resident = sequences.resident();
    options.histogram = request.style.histogram && request.paths.report.has_value();
    if (arguments.drop_in) options.most_profiles = 1;     // hmmsearch uses only the first profile
    options.count_empty = has_worker_threads(arguments);  // sequences without residues
    if (section.context.part != nullptr) options.profiles = section.context.part->searched_profiles();
    search(profiles, opener_of(source, section.context), sequences.reopenable(), options, observer);
  };
  if (section.context.part != nullptr) {
    search_observed(SearchPartObserver(arguments.silent(), arguments.has("stats"), section));
  } else {
    search_observed(Observer(request, arguments, section));
  }
}

void search_hmmer3(const Arguments& arguments, hmmer3::ProfileReader& profiles, RunSequences& sequences,
                   const RunSection& section) {
  // Drivers take 0.2 to 0.5 s to list devices: a group of profiles is read meanwhile. A part may need other
  // profiles, and a server has its devices already.
  const RunContext& context = section.context;
  if (names_devices(arguments.get("device")) && context.shared == nullptr && context.part == nullptr &&
      is_reopenable(context.profiles.path)) {
    profiles.read_ahead(static_cast<double>(hmmer3::SearchOptions().group_nodes));
  }
  const Hmmer3Request request = hmmer3_request(arguments, ReportKind::Search);
  check_files(request.paths, section.context);
  const SequenceSource& source = sequences.source();
  search_hmmer3(request, profiles, opener_of(source, section.context), sequences.reopenable(), section);
}

void run(const Arguments& arguments) { run_here_or_by_server(arguments, ReportKind::Search, run_search); }

}  // namespace

// One section after the other, in file order.
void run_search(const Arguments& arguments, RunContext& context) {
  start_devices(arguments, context);
  ProfileSource source(arguments, context.profiles);
  check_options(arguments, ReportKind::Search, source);
  RunSequences sequences(arguments, context.sequences, source);
  ProfileSections sections = source.sections();
  const RunSection section{context, [&] { return sections.another(); }};
  for (;; sections.advance()) {
    if (sections.generation() == hmmer3::Generation::Hmmer3) {
      search_hmmer3(arguments, sections.hmmer3(), sequences, section);
    } else {
      search_hmmer2(arguments, sections.hmmer2(), sequences, section);
    }
    if (!section.more()) return;
  }
}

Command search_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
