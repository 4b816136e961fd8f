// `gpuhmm scan`: sequences against a profile library (hmmpfam).
#include "gpuhmm/scan.hpp"

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

constexpr const char* kHelp = R"(scan PROFILES SEQUENCES
Scan sequences against a profile library (hmmpfam, hmmscan)

Scans every sequence of the file SEQUENCES (FASTA, UniProt, EMBL, GenBank,
Stockholm and others, or a database made by `gpuhmm makedb`) against every
profile of the file PROFILES (HMMER2 or HMMER3, text or binary; `gpuhmm press`
makes HMMER3 profiles quicker to read). Either may be gzipped or '-' for
standard input; a prepared database may not.

Standard output is the report of HMMER 2.3.2's hmmpfam for HMMER2 profiles, of
HMMER 3.3.2's hmmscan for HMMER3 profiles, one block for each sequence. For a file
that holds both, these are two scans: the first one with the profiles of the
version that the file begins with, the second one with the others. --as 2 converts
HMMER3 profiles to HMMER2, --as 3 refuses HMMER2 profiles. If a table or JSON goes
to standard output, the report is left out unless -o gives it a file.

--alignments, --compat, --null2, --forward, --xnu, --alphabet and --nucleic are
for HMMER2 profiles only. With HMMER3 profiles devices run all stages through
Forward and Backward, and share the domains with the threads; auto uses a GPU
for large scans only. Beside devices that --device names there are at most 32
threads, or 8 for each device if that is more, unless --cpu says how many.

Output files appear at the end of the run; a scan that fails leaves none.

examples:
gpuhmm scan --cut_ga Pfam_ls protein.fasta
gpuhmm scan -n Dfam.hmm genome.fna.gz
gpuhmm scan --domtblout - Pfam-A.hmm - < proteins.fasta)";

OptionTable options() { return run_options(ReportKind::Scan); }

class Observer : public OutputObserver<ScanObserver> {
 public:
  using OutputObserver::OutputObserver;

  ResultWriter result(const SequenceView& query, ScanResult&& result) override {
    return writer(
        outputs().texts(query, static_cast<std::int64_t>(query.residues.size()), std::move(result)));
  }
};

// The alphabet that all profiles must have, if any. hmmpfam always requires one.
std::optional<AlphabetKind> alphabet_of(const Arguments& arguments) {
  const std::optional<AlphabetKind> given = alphabet_from(arguments);
  if (!arguments.drop_in) return given;
  if (given == AlphabetKind::Nucleic && arguments.has("xnu")) {
    throw SearchError("-n and --xnu exclude each other: only protein sequences are masked");
  }
  return given.value_or(AlphabetKind::Amino);
}

// Throws SearchError if the profiles of the file do not have the required alphabet.
void check_alphabet(const std::string& profiles, std::optional<AlphabetKind> required, AlphabetKind found) {
  if (!required || *required == found) return;
  const auto lower = [](AlphabetKind kind) { return kind == AlphabetKind::Amino ? "protein" : "nucleic"; };
  throw SearchError(profiles + ": has " + lower(found) + " profiles; expected " + lower(*required) + " ones");
}

void scan_hmmer2(const Arguments& arguments, ProfileSource& profiles, bool reopenable,
                 RunSequences& sequences, const RunSection& section) {
  if (!arguments.drop_in) refuse_hmmer3_options(arguments, ReportKind::Scan);
  const RunRequest request = run_request(arguments, ReportKind::Scan);
  const std::optional<AlphabetKind> alphabet = alphabet_of(arguments);
  check_files(request, section.context);
  RunEngines engines(request, section.context);
  const SequenceSource& source = sequences.source();
  engines.check();
  const ProfileOpener open_profiles = [&] { return profiles.open_hmmer2(request.threads); };
  const SequenceOpener open_sequences = opener_of(source, section.context);
  const auto scan_observed = [&](auto&& observer) {
    ScanOptions options{engines.options(observer.meter())};
    options.counting = has_worker_threads(arguments) ? ScanCounting::Threaded : ScanCounting::Serial;
    options.device_named = engines.device_named();
    if (section.context.part != nullptr) {
      options.profiles = section.context.part->scanned_profiles(open_profiles);
    }
    scan(
        open_profiles, reopenable,
        [&](const Alphabet& found) {
          check_alphabet(request.profiles, alphabet, found.kind());
          return open_sequences(found);
        },
        options, observer);
  };
  if (section.context.part != nullptr) {
    scan_observed(ScanPartObserver(arguments.silent(), arguments.has("stats"), section));
  } else {
    scan_observed(Observer(request, arguments, section));
  }
}

void scan_hmmer3(const Arguments& arguments, ProfileSource& profiles, bool reopenable,
                 RunSequences& sequences, const RunSection& section) {
  const Hmmer3Request request = hmmer3_request(arguments, ReportKind::Scan);
  check_files(request.paths, section.context);
  const SequenceSource& source = sequences.source();
  scan_hmmer3(
      request, [&] { return profiles.open_hmmer3(); }, reopenable, opener_of(source, section.context),
      section);
}

void run(const Arguments& arguments) { run_here_or_by_server(arguments, ReportKind::Scan, run_scan); }

}  // namespace

// The profiles of the generation of the first one, then the others, if there are any.
void run_scan(const Arguments& arguments, RunContext& context) {
  start_devices(arguments, context);
  ProfileSource profiles(arguments, context.profiles);
  check_options(arguments, ReportKind::Scan, profiles);
  RunSequences sequences(arguments, context.sequences, profiles);
  const RunSection first{context, [&] { return profiles.others_follow(); }},
      second{context, [] { return false; }};
  if (profiles.first() == hmmer3::Generation::Hmmer3) {
    scan_hmmer3(arguments, profiles, profiles.reopenable(), sequences, first);
    if (first.more()) scan_hmmer2(arguments, profiles, true, sequences, second);
  } else {
    scan_hmmer2(arguments, profiles, profiles.reopenable(), sequences, first);
    if (first.more()) scan_hmmer3(arguments, profiles, true, sequences, second);
  }
}

Command scan_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
