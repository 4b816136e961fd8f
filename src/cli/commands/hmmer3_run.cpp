// Runs searches and scans with HMMER3 profiles and shows their progress.
#include "cli/commands/hmmer3_run.hpp"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_outputs.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/file_roles.hpp"
#include "cli/progress.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/hmmer3_press.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

namespace {

class Observer : public hmmer3::SearchObserver {
 public:
  explicit Observer(const Hmmer3Request& request)
      : statistics_(request.statistics), outputs_(request), progress_(request.silent, kCells) {}

  WorkMeter& meter() { return progress_.meter(); }
  void warning(const std::string& message) override { progress_.warn(message); }
  ResultWriter result(const hmmer3::Query& query, hmmer3::QueryResult&& result,
                      const hmmer3::QueryTimes& times) override {
    return [this, texts = std::make_shared<Hmmer3Texts>(outputs_.texts(query, result, times))] {
      const auto pause = progress_.pause();
      outputs_.write(std::exchange(*texts, {}));
    };
  }
  void finished(const SearchStatistics& statistics) override {
    progress_.finish();
    outputs_.commit();
    if (statistics_) print_statistics(statistics, {});
    leave(kDone);
  }

 private:
  bool statistics_;
  Hmmer3Outputs outputs_;
  ProgressLine progress_;
};

LocatedInputs locate(const Hmmer3Request& request) {
  const bool pressed = request.as_hmmer3 && request.style.kind == ReportKind::Scan;  // finds its own files
  LocatedInputs inputs = {pressed ? request.profiles : locate_file(request.profiles, "PFAMDB"),
                          locate_file(request.sequences, "BLASTDB")};
  const Hmmer3OutputPaths& paths = request.paths;
  FileRoles files;
  files.reads(inputs.profiles).reads(inputs.sequences);
  for (const auto* const path :
       {&paths.report, &paths.targets, &paths.domains, &paths.pfam, &paths.included, &paths.json}) {
    const bool reported_later = request.as_hmmer3 && *path && (*path)->empty();
    if (!reported_later) files.writes(*path);
  }
  return inputs;
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
  return options;
}

}  // namespace

ProfileSource look_at_profiles(const Arguments& arguments) {
  if (arguments.positional[0] == "-" && arguments.positional[1] == "-") {
    throw UsageError("only one of PROFILES and SEQUENCES can be standard input");
  }
  ProfileSource source;
  const std::optional<std::string> as = arguments.text("as");
  const std::string path = locate_file(arguments.positional[0], "HMMERDB");
  std::error_code error;
  if (!as && !std::filesystem::exists(path, error) &&
      std::filesystem::exists(hmmer3::PressedFiles(path).profiles, error)) {
    return {true, nullptr};
  }
  if (as && is_reopenable(path)) return {*as == "3", nullptr};
  auto input = std::make_unique<Input>(path);
  source.hmmer3 = as ? *as == "3" : hmmer3::generation_of(*input) == hmmer3::Generation::Hmmer3;
  if (!is_reopenable(path)) source.input = std::move(input);
  return source;
}

void run_hmmer3(const Hmmer3Request& request, std::unique_ptr<Input> profiles_input) {
  const LocatedInputs inputs = locate(request);
  // HMMER3 opens the sequences first.
  std::optional<hmmer3::SequenceFile> hmmer3_file;
  std::optional<SequenceSource> source;
  if (request.as_hmmer3) {
    hmmer3_file.emplace(inputs.sequences, hmmer3_format(request));
  } else {
    source.emplace(inputs.sequences, request.format, request.options.threads);
  }
  const SequenceOpener open_sequences = [&](const Alphabet& alphabet) {
    return source ? source->open(alphabet) : hmmer3_file->open(alphabet);
  };
  const auto read_profiles = [&] {
    return profiles_input ? hmmer3::ProfileReader(std::move(profiles_input))
                          : hmmer3::ProfileReader(inputs.profiles);
  };
  if (request.style.kind == ReportKind::Search) {
    hmmer3::ProfileReader profiles = read_profiles();
    Observer observer(request);
    search(profiles, open_sequences, is_reopenable(inputs.sequences), options_for(request, observer),
           observer);
  } else {
    const hmmer3::ProfileOpener open_profiles = [&] {
      return request.as_hmmer3 ? hmmer3::open_pressed(inputs.profiles) : read_profiles();
    };
    Observer observer(request);
    scan(open_profiles, request.as_hmmer3 || is_reopenable(inputs.profiles), open_sequences,
         options_for(request, observer), observer);
  }
}

}  // namespace gpuhmm::cli
