// Runs searches and scans with HMMER3 profiles and shows their progress.
#include "cli/commands/hmmer3_run.hpp"

#include <memory>
#include <utility>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_outputs.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/file_roles.hpp"
#include "cli/progress.hpp"
#include "gpuhmm/database.hpp"
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
  LocatedInputs inputs = {locate_file(request.profiles, "PFAMDB"), locate_file(request.sequences, "BLASTDB")};
  const Hmmer3OutputPaths& paths = request.paths;
  FileRoles files;
  files.reads(inputs.profiles).reads(inputs.sequences);
  for (const auto* const path :
       {&paths.report, &paths.targets, &paths.domains, &paths.pfam, &paths.included, &paths.json}) {
    files.writes(*path);
  }
  return inputs;
}

}  // namespace

bool wants_hmmer3(const Arguments& arguments) {
  if (const auto as = arguments.text("as")) return *as == "3";
  const std::string path = locate_file(arguments.positional[0], "HMMERDB");
  if (path == "-") return false;
  Input input(path);
  return hmmer3::generation_of(input) == hmmer3::Generation::Hmmer3;
}

void run_hmmer3(const Hmmer3Request& request) {
  const LocatedInputs inputs = locate(request);
  const SequenceSource sequences(inputs.sequences, request.format, request.options.threads);
  Observer observer(request);
  hmmer3::SearchOptions options = request.options;
  options.meter = &observer.meter();
  const SequenceOpener open_sequences = [&](const Alphabet& alphabet) { return sequences.open(alphabet); };
  if (request.style.kind == ReportKind::Search) {
    hmmer3::ProfileReader profiles(inputs.profiles);
    search(profiles, open_sequences, is_reopenable(inputs.sequences), options, observer);
  } else {
    scan([&] { return hmmer3::ProfileReader(inputs.profiles); }, is_reopenable(inputs.profiles),
         open_sequences, options, observer);
  }
}

}  // namespace gpuhmm::cli
