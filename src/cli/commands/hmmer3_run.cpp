// Runs searches and scans with HMMER3 profiles and shows their progress.
#include "cli/commands/hmmer3_run.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_outputs.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/file_roles.hpp"
#include "cli/progress.hpp"
#include "gpuhmm/hmmer3_press.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

namespace {

class Observer : public hmmer3::SearchObserver {
 public:
  Observer(const Hmmer3Request& request, const RunPart& part)
      : part_(part),
        statistics_(request.statistics),
        outputs_(part.files, request),
        progress_(request.silent, kCells) {}

  WorkMeter& meter() { return progress_.meter(); }
  void warning(const std::string& message) override { progress_.warn(message); }
  ResultWriter result(const hmmer3::Query& query, hmmer3::QueryResult&& result,
                      const hmmer3::QueryTimes& times) override {
    return [this, texts = std::make_shared<Hmmer3Texts>(outputs_.texts(query, result, times))] {
      const auto pause = progress_.pause();
      outputs_.write(std::exchange(*texts, {}));
    };
  }
  void interrupted(const std::optional<hmmer3::Query>& query) override { outputs_.write_interrupted(query); }
  void finished(const SearchStatistics& statistics) override {
    progress_.finish();
    outputs_.finish();
    const bool last = !part_.more();
    if (last) part_.files.commit();
    if (statistics_) print_statistics(statistics, {});
    if (last) leave(kDone);
  }

 private:
  const RunPart& part_;
  bool statistics_;
  Hmmer3Outputs outputs_;
  ProgressLine progress_;
};

void check_files(const Hmmer3Request& request, const LocatedInputs& inputs) {
  const Hmmer3OutputPaths& paths = request.paths;
  FileRoles files;
  files.reads(inputs.profiles).reads(inputs.sequences);
  for (const auto* const path :
       {&paths.report, &paths.targets, &paths.domains, &paths.pfam, &paths.included, &paths.json}) {
    const bool reported_later = request.as_hmmer3 && *path && (*path)->empty();
    if (!reported_later) files.writes(*path);
  }
}

std::optional<SequenceFormat> hmmer3_format(const Hmmer3Request& request) {
  if (!request.named_format) return std::nullopt;
  const std::optional<SequenceFormat> format = hmmer3::sequence_format_from_name(*request.named_format);
  if (format) return format;
  const std::string text =
      *request.named_format + " is not a recognized " +
      (request.style.kind == ReportKind::Search ? "sequence database" : "input sequence") + " file format";
  throw hmmer3::SequenceFileError(text, text + "\n", true);
}

hmmer3::SearchOptions options_for(const Hmmer3Request& request, Observer& observer) {
  hmmer3::SearchOptions options = request.options;
  options.meter = &observer.meter();
  options.results_before_errors = request.as_hmmer3;
  options.check_alphabet = !request.as_hmmer3;
  return options;
}

}  // namespace

void check_hmmer3_files(const Hmmer3Request& request) {
  check_files(request, {locate_file(request.profiles, "HMMERDB"), locate_file(request.sequences, "BLASTDB")});
}

void search_hmmer3(const Hmmer3Request& request, hmmer3::ProfileReader& profiles,
                   const SequenceOpener& open_sequences, bool reopenable, const RunPart& part) {
  Observer observer(request, part);
  search(profiles, open_sequences, reopenable, options_for(request, observer), observer);
}

void scan_hmmer3(const Hmmer3Request& request, const hmmer3::ProfileOpener& open_profiles, bool reopenable,
                 const SequenceOpener& open_sequences, const RunPart& part) {
  Observer observer(request, part);
  scan(open_profiles, reopenable, open_sequences, options_for(request, observer), observer);
}

void run_hmmer3(const Hmmer3Request& request) {
  const bool is_search = request.style.kind == ReportKind::Search;
  // hmmscan finds the parts of a pressed library itself.
  const LocatedInputs inputs = {is_search ? locate_file(request.profiles, "PFAMDB") : request.profiles,
                                locate_file(request.sequences, "BLASTDB")};
  check_files(request, inputs);
  // HMMER3 opens the sequences first.
  hmmer3::SequenceFile sequences(inputs.sequences, hmmer3_format(request));
  const SequenceOpener open_sequences = [&](const Alphabet& alphabet) { return sequences.open(alphabet); };
  RunFiles files;
  const RunPart part{files, [] { return false; }};
  try {
    if (is_search) {
      hmmer3::ProfileReader profiles(inputs.profiles, {.drop_unfinished = true});
      search_hmmer3(request, profiles, open_sequences, is_reopenable(inputs.sequences), part);
    } else {
      scan_hmmer3(
          request, [&] { return hmmer3::open_pressed(inputs.profiles); }, true, open_sequences, part);
    }
  } catch (const hmmer3::ProfileFileError&) {
    files.commit();
    throw;
  } catch (const hmmer3::SequenceFileError&) {
    files.commit();
    throw;
  } catch (const hmmer3::MissingCutoff&) {
    files.commit();
    throw;
  }
}

}  // namespace gpuhmm::cli
