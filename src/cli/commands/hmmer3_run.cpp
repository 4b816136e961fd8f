// Runs searches and scans with HMMER3 profiles and shows their progress.
#include "cli/commands/hmmer3_run.hpp"

#include <algorithm>
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
        outputs_(part.context.files, request, part.context.surroundings),
        progress_(request.silent || part.context.shared != nullptr, kCells) {}

  WorkMeter& meter() { return progress_.meter(); }
  void warning(const std::string& message) override {
    part_.context.warn ? part_.context.warn(message) : progress_.warn(message);
  }
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
    end_part(part_, [&] {
      if (statistics_) print_statistics(statistics, {});
    });
  }

 private:
  const RunPart& part_;
  bool statistics_;
  Hmmer3Outputs outputs_;
  ProgressLine progress_;
};

hmmer3::SearchOptions options_for(const Hmmer3Request& request, const RunContext& context,
                                  Observer& observer) {
  hmmer3::SearchOptions options = request.options;
  options.meter = &observer.meter();
  options.stop = context.stop;
  options.results_before_errors = request.as_hmmer3;
  options.check_alphabet = !request.as_hmmer3;
  if (context.shared != nullptr) {
    options.threads = std::min(options.threads, context.shared->threads);
    options.opened = context.shared->devices;
    options.gpu_for_much_work = options.opened != nullptr && !context.shared->device_named;
  } else if (const double cells = expected_cells(context); cells > 0) {
    options.devices.clear();
    for (const std::size_t d : worth_opening(request.options.devices, cells)) {
      options.devices.push_back(request.options.devices[d]);
    }
  }
  return options;
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

}  // namespace

void check_files(const Hmmer3OutputPaths& paths, const RunContext& context, bool empty_later) {
  if (context.conflict) {
    if (!context.conflict->empty()) throw UsageError(*context.conflict);
    return;
  }
  FileRoles files;
  files.reads(context.profiles.path).reads(context.sequences.path);
  for (const auto* const path :
       {&paths.report, &paths.targets, &paths.domains, &paths.pfam, &paths.included, &paths.json}) {
    const bool reported_later = empty_later && *path && (*path)->empty();
    if (!reported_later) files.writes(*path);
  }
}

void search_hmmer3(const Hmmer3Request& request, hmmer3::ProfileReader& profiles,
                   const SequenceOpener& open_sequences, bool reopenable, const RunPart& part) {
  Observer observer(request, part);
  search(profiles, open_sequences, reopenable, options_for(request, part.context, observer), observer);
}

void scan_hmmer3(const Hmmer3Request& request, const hmmer3::ProfileOpener& open_profiles, bool reopenable,
                 const SequenceOpener& open_sequences, const RunPart& part) {
  Observer observer(request, part);
  scan(open_profiles, reopenable, open_sequences, options_for(request, part.context, observer), observer);
}

void run_hmmer3(const Hmmer3Request& request) {
  const bool is_search = request.style.kind == ReportKind::Search;
  RunContext context;
  // hmmscan finds the parts of a pressed library itself.
  context.profiles.path = is_search ? locate_file(request.profiles, "PFAMDB") : request.profiles;
  context.sequences.path = locate_file(request.sequences, "BLASTDB");
  context.end = [] { leave(kDone); };
  check_files(request.paths, context, true);
  // HMMER3 opens the sequences first.
  hmmer3::SequenceFile sequences(context.sequences.path, hmmer3_format(request));
  const SequenceOpener open_sequences = [&](const Alphabet& alphabet) { return sequences.open(alphabet); };
  const RunPart part{context, [] { return false; }};
  try {
    if (is_search) {
      hmmer3::ProfileReader profiles(context.profiles.path, {.drop_unfinished = true});
      search_hmmer3(request, profiles, open_sequences, is_reopenable(context.sequences.path), part);
    } else {
      scan_hmmer3(
          request, [&] { return hmmer3::open_pressed(context.profiles.path); }, true, open_sequences, part);
    }
  } catch (const hmmer3::ProfileFileError&) {
    context.files.commit();
    throw;
  } catch (const hmmer3::SequenceFileError&) {
    context.files.commit();
    throw;
  } catch (const hmmer3::MissingCutoff&) {
    context.files.commit();
    throw;
  }
}

}  // namespace gpuhmm::cli
