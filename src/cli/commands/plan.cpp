// `gpuhmm plan`: what a search or a scan will take.
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/commands/plan_inputs.hpp"
#include "cli/commands/plan_report.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/commands/trial_run.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "gpuhmm/run_plan.hpp"
#include "gpuhmm/search.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(plan PROFILES SEQUENCES
Tell what a search or a scan will take

Tells the time, the devices, the batches, and the memory on the host and on devices
that a search of these files with the same options will take; with --scan, a scan.
Nothing is written but the plan.

It reads both files and runs samples of them, evenly spread over the files: one to
see how long it takes to begin, then larger ones until they have taken the time of
--seconds, and one that tells the costs of profiles and of cells apart. A run that fits
into --seconds is done as a whole. Samples that had to build kernels of a device are
run again. Give the options that the run will have: thresholds, outputs, devices
and threads change what it takes.

Each file is read for a fifth of --seconds; what lies behind that is taken to be like
what was read. Inputs must be files: no standard input, no pipes.

examples:
gpuhmm plan Pfam_ls uniprot.fasta.gz
gpuhmm plan --device all --noali --tblout hits.tbl -o /dev/null Pfam_ls uniprot.db
gpuhmm plan --scan --cut_ga --format json Pfam-A.hmm proteome.fasta)";

// Of the options of runs: those that a plan has with another meaning or cannot have.
constexpr const char* kNotOfPlan[] = {"format", "shard",  "shard-by", "checkpoint",
                                      "mpi",    "server", "quiet",    "stats"};
// Options of the plan that are none of the run.
constexpr const char* kPlanOnly[] = {"scan", "seconds", "format", "stats", "quiet", "help"};

// For each file: a share of the time, but enough seconds to tell its size from what was read.
constexpr double kShareForReading = 0.2, kLeastReading = 0.05;

template <class List>
bool is_in(const List& names, const std::string& name) {
  return std::ranges::any_of(names, [&](const char* other) { return name == other; });
}

void add_run_options(OptionTable& all, ReportKind kind) {
  const OptionTable of_run = run_options(kind);
  const auto known = [&](const std::string& name) { return all.find("--" + name) != nullptr; };
  for (const OptionGroup& group : of_run.groups()) {
    bool begun = false;
    for (const Option& option : group.options) {
      if (is_in(kNotOfPlan, option.name) || known(option.name)) continue;
      if (!std::exchange(begun, true)) {
        all.group(kind == ReportKind::Search ? "as of the run: " + group.title
                                             : "as of a scan: " + group.title);
      }
      const std::string letter = option.letter == '\0' ? "" : std::string(",") + option.letter;
      if (option.is_flag()) {
        all.add(option.name + letter, option.text);
      } else {
        all.add(option.name + letter, option, option.text);
      }
    }
  }
  if (kind != ReportKind::Search) return;
  for (const std::vector<std::string>& choice : of_run.choices()) {
    if (std::ranges::all_of(choice, known)) all.only_one(choice);
  }
}

OptionTable options() {
  OptionTable all("options");
  all.add("scan", "plan a scan (by default: a search)");
  all.add("seconds", value<double>("X", "10").within(0, 1e6), "time for samples");
  add_format_option(all, {"text", "json"}, "text (a line for each fact) or json (one object)");
  add_message_options(all, "no effect: a plan shows no progress");
  add_run_options(all, ReportKind::Search);
  add_run_options(all, ReportKind::Scan);
  return all;
}

// The command line of the run.
Arguments run_arguments(const Arguments& arguments, ReportKind kind) {
  const OptionTable of_run = run_options(kind);
  for (const Option* const option : options().options()) {
    if (!arguments.has(option->name) || is_in(kPlanOnly, option->name)) continue;
    if (of_run.find("--" + option->name) != nullptr) continue;
    throw UsageError("--" + option->name + " is not an option of " +
                     (kind == ReportKind::Search ? "searches; --scan plans a scan" : "scans"));
  }
  Arguments run(of_run);
  for (const Option* const option : of_run.options()) {
    if (arguments.has(option->name) && !is_in(kPlanOnly, option->name)) {
      run.set(option->name, arguments.data(option->name));
    }
  }
  run.positional = arguments.positional;
  return run;
}

// Runs samples. The first run on a machine builds kernels, which many drivers keep: such a sample is run
// again, as later runs find them built.
class SampleRuns {
 public:
  explicit SampleRuns(const TrialRunner& runner) : runner_(runner) {}

  TrialRun run(const PlanInputs::Sample& sample, const RunSize& whole) {
    TrialRun first = runner_.run(sample, whole);
    const double building = first.build_seconds();
    if (!kept_ || building < kManySeconds || building < kMuch * first.costs.seconds) return first;
    TrialRun again = runner_.run(sample, whole);
    kept_ = again.build_seconds() < building / 2;
    if (kept_) build_seconds_ += building - again.build_seconds();
    return again;
  }

  /// Of kernels that the driver has kept.
  double build_seconds() const { return build_seconds_; }

 private:
  // Building less than this, or less than this share of a sample, does not matter.
  static constexpr double kManySeconds = 0.2, kMuch = 0.05;

  const TrialRunner& runner_;
  bool kept_ = true;
  double build_seconds_ = 0;
};

Plan planned(const Arguments& arguments, ReportKind kind) {
  const double seconds = arguments.get<double>("seconds");
  const Arguments of_run = run_arguments(arguments, kind);
  const RunContext context = command_line_context(arguments.positional);
  require_files(arguments, context, "a plan");
  const TrialRunner runner(of_run, kind);
  SampleRuns samples(runner);
  const PlanInputs inputs(of_run, kind, context, std::max(kShareForReading * seconds, kLeastReading));
  Plan plan;
  plan.whole = inputs.whole();
  plan.profiles_counted = inputs.profiles_counted();
  plan.sequences_counted = inputs.sequences_counted();
  TrialPlan trials(plan.whole, seconds, inputs.least());
  while (const std::optional<RunSize> wanted = trials.next()) {
    const PlanInputs::Sample sample = inputs.sample(*wanted);
    plan.last = samples.run(sample, plan.whole);
    trials.add({sample.size, plan.last.costs, plan.last.batch_residues});
  }
  plan.trials = trials.trials();
  plan.build_seconds = samples.build_seconds();
  plan.loops = {kind, plan.last.batch_residues, plan.last.batch_sequences,
                kind == ReportKind::Search ? static_cast<double>(SearchOptions().group_nodes) : 0};
  plan.forecast = forecast(plan.whole, plan.loops, plan.trials,
                           {inputs.reading_seconds(), processors(), threads_from(of_run)});
  return plan;
}

void run(const Arguments& arguments) {
  const ReportKind kind = arguments.has("scan") ? ReportKind::Scan : ReportKind::Search;
  const Plan plan = planned(arguments, kind);
  for (const std::string& warning : plan.last.warnings) warn(warning);
  if (arguments.has("stats")) std::cerr << trial_lines(plan);
  print(arguments.get("format") == "json" ? plan_json(plan) : plan_text(plan));
}

}  // namespace

Command plan_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
