// Runs searches and scans with HMMER3 profiles and shows their progress.
#include "cli/commands/hmmer3_run.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_outputs.hpp"
#include "cli/commands/part_observer.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/file_roles.hpp"
#include "gpuhmm/hmmer3_press.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"
#include "util/kept_memory.hpp"

namespace gpuhmm::cli {

namespace {

class Observer : public ProgressObserver<hmmer3::SearchObserver> {
 public:
  Observer(const Hmmer3Request& request, const RunSection& section)
      : ProgressObserver(request.silent, section),
        statistics_(request.statistics),
        outputs_(section.context.files, request, section.context.surroundings) {}

  ResultWriter result(const hmmer3::Query& query, hmmer3::QueryResult&& result,
                      const hmmer3::QueryTimes& times) override {
    const auto hits = std::ranges::count_if(result.hits, &hmmer3::Hit::reported);
    return [this, hits, texts = std::make_shared<Hmmer3Texts>(outputs_.texts(query, result, times))] {
      const auto pause = progress().pause();
      outputs_.write(std::exchange(*texts, {}));
      hits_ += hits;
    };
  }
  void interrupted(const std::optional<hmmer3::Query>& query) override { outputs_.write_interrupted(query); }
  void finished(const SearchStatistics& statistics) override {
    progress().finish();
    outputs_.finish();
    tell_totals(section(), statistics, hits_);
    end_section(section(), [&] {
      if (statistics_) print_statistics(statistics, {});
    });
  }

 private:
  bool statistics_;
  Hmmer3Outputs outputs_;
  std::int64_t hits_ = 0;
};

// From so many threads on it takes long to give memory back and to take it again.
constexpr unsigned kManyThreads = 8;

hmmer3::SearchOptions options_for(const Hmmer3Request& request, const RunContext& context, WorkMeter& meter) {
  hmmer3::SearchOptions options = request.options;
  options.meter = &meter;
  options.stop = context.stop;
  options.results_before_errors = request.as_hmmer3;
  options.check_alphabet = !request.as_hmmer3;
  // What is put together from parts may show all.
  if (context.part == nullptr) options.hmmer3.alignments = request.shown();
  if (context.sample_of) {
    options.gpu_at_once = is_much_work(*context.sample_of, request.style.kind, options);
  }
  if (context.shared != nullptr) {
    options.threads = std::min(options.threads, context.shared->threads);
    options.opened = context.shared->devices;
    options.gpu_for_much_work = options.opened != nullptr && !context.shared->device_named;
    return options;
  }
  const bool is_whole = !context.sample_of && context.part == nullptr;
  if (is_whole) {
    options.gpu_at_once = is_worth_waiting(expected_size(context), request.style.kind, options);
  }
  if (options.threads >= kManyThreads) keep_freed_memory();
  if (const double cells = expected_cells(context); cells > 0) {
    options.devices.clear();
    for (const std::size_t d : worth_opening(request.options.devices, cells)) {
      options.devices.push_back(request.options.devices[d]);
    }
  }
  return options;
}

// Calls run(observer) with the observer for outputs or that for a part.
void with_observer(const Hmmer3Request& request, const RunSection& section, const auto& run) {
  if (section.context.part != nullptr) {
    run(Hmmer3PartObserver(request.silent, request.statistics, section));
  } else {
    run(Observer(request, section));
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

}  // namespace

void check_files(const Hmmer3OutputPaths& paths, const RunContext& context, bool as_hmmer3) {
  if (context.conflict) {
    if (!context.conflict->empty()) throw UsageError(*context.conflict);
    return;
  }
  FileRoles files;
  if (as_hmmer3) files.share_standard_output();
  files.reads(context.profiles.path).reads(context.sequences.path);
  for (const auto* const path :
       {&paths.report, &paths.targets, &paths.domains, &paths.pfam, &paths.included, &paths.json}) {
    const bool reported_later = as_hmmer3 && *path && (*path)->empty();
    if (!reported_later) files.writes(*path);
  }
}

void search_hmmer3(const Hmmer3Request& request, hmmer3::ProfileReader& profiles,
                   const SequenceOpener& open_sequences, bool reopenable, const RunSection& section) {
  with_observer(request, section, [&](auto&& observer) {
    hmmer3::SearchOptions options = options_for(request, section.context, observer.meter());
    if (section.context.part != nullptr) options.profiles = section.context.part->searched_profiles();
    search(profiles, open_sequences, reopenable, options, observer);
  });
}

void scan_hmmer3(const Hmmer3Request& request, const hmmer3::ProfileOpener& open_profiles, bool reopenable,
                 const SequenceOpener& open_sequences, const RunSection& section) {
  with_observer(request, section, [&](auto&& observer) {
    hmmer3::SearchOptions options = options_for(request, section.context, observer.meter());
    if (section.context.part != nullptr) {
      options.profiles = section.context.part->scanned_profiles(open_profiles);
    }
    scan(open_profiles, reopenable, open_sequences, options, observer);
  });
}

void run_hmmer3(const Hmmer3Request& request) {
  const bool is_search = request.style.kind == ReportKind::Search;
  RunContext context;
  context.profiles.path = request.profiles;
  context.sequences.path = request.sequences;
  context.end = [] { leave(kDone); };
  check_files(request.paths, context, true);
  // hmmsearch opens the sequences first, hmmscan the database.
  const std::optional<SequenceFormat> format = hmmer3_format(request);
  const hmmer3::ProfileOpener open_database = [&] { return hmmer3::open_pressed(context.profiles.path); };
  if (!is_search) open_database();
  hmmer3::SequenceFile sequences(context.sequences.path, format);
  const SequenceOpener open_sequences = [&](const Alphabet& alphabet) { return sequences.open(alphabet); };
  const RunSection section{context, [] { return false; }};
  try {
    if (is_search) {
      hmmer3::ProfileReader profiles(context.profiles.path, {.drop_unfinished = true});
      search_hmmer3(request, profiles, open_sequences, is_reopenable(context.sequences.path), section);
    } else {
      scan_hmmer3(request, open_database, true, open_sequences, section);
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
