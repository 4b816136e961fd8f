// `gpuhmm bench`: tunes a device or repeats an experiment.
#include <algorithm>

#include "cli/bench/experiments.hpp"
#include "cli/bench/tune.hpp"
#include "cli/commands.hpp"
#include "cli/help/suggestion.hpp"
#include "cli/options.hpp"

namespace gpuhmm::cli {

namespace {

using experiment::Experiment;
using experiment::TableSource;

constexpr const char* kHelp = R"(bench tune|ladder|maximum|sort|subsequence|reduce
Tune the kernels for a device, or repeat published experiments

`gpuhmm bench tune` tries settings of the kernels on a device (work-group size,
rows per tile, models per launch and others), one after the other, with random
sequences of Swiss-Prot's lengths, and stores the fastest ones in a table. Later
searches use the table; answers do not depend on it. The built-in settings were
tuned on an NVIDIA H100 and on CPUs with AVX2. The table is $GPUHMM_DEVICES,
else $XDG_CONFIG_HOME/gpuhmm/devices.json, else ~/.config/gpuhmm/devices.json;
it has an entry for each device name. Delete an entry, or the file, to go back
to the built-in settings.

The other names repeat the tables of a publication: today's figures stand beside
the printed ones. Every result is compared with a plain reference before it is
timed. A figure that the device cannot give has its reason instead, such as too
little local memory. By default sizes are such that a run takes some minutes;
--full takes those of the publication, and --limit leaves out those of its
variants that would take too long. The device auto is the first GPU, or else
the first OpenCL device; only maximum uses several.

examples:
gpuhmm bench tune
gpuhmm bench tune --device NVIDIA -o /etc/gpuhmm/devices.json
gpuhmm bench reduce --table ladder
gpuhmm bench sort --full --json sort.json --plots pictures)";

OptionTable options() {
  OptionTable all("tune");
  all.add("sequences", value<std::int64_t>("N").within(1),
          "number of random sequences (default: enough to keep the device busy)");
  all.group("experiments");
  all.add("table,t", value<std::string>("ID[,ID...]"), "only these tables (default: all)");
  all.add("runs,n", value<std::int64_t>("N").within(1, 1e6),
          "runs of each measurement (default: the table's)");
  all.add("full", "all sizes of the publication: may take hours");
  all.add("largest", value<std::int64_t>("N").within(1),
          "maximum, sort, subsequence: no vectors, matrices and sets of more than N elements, rows, words");
  all.add("smallest", value<std::int64_t>("N").within(1), "the same: none of fewer than N");
  all.add("limit", value<double>("SECONDS").within(0.001, 1e7),
          "maximum (submatrix), subsequence: leave out runs that would take longer, and tell their time as "
          "predicted from a smaller one by the number of steps");
  all.add("words-per-item", value<std::int64_t>("N").within(1, 1e6),
          "sort: words that a work-item of the published kernels takes (default: 1)");
  all.add("work-group", value<std::int64_t>("N").within(1, 65'536),
          "sort: work-items of a work-group of the published kernels (default: 384)");
  all.add("profiles", file("FILE", ValueKind::Profiles), "ladder: real profiles instead of random ones");
  all.add("database", file("FILE", ValueKind::Sequences), "ladder: real sequences instead of random ones");
  all.add("seed", value<std::int32_t>("N", "1"), "seed of the random data");
  all.add("json", file(), "write all tables as JSON, too");
  all.add("plots", file("DIR"), "draw each table into DIR/NAME-ID.svg");
  all.group("output and devices");
  add_output_option(all, "write the tables; tune: the table of settings to change");
  add_message_options(all, "no report of what is measured or tried");
  add_compute_options(all);
  return all;
}

// A list of the experiments and their tables.
std::string list_of_tables() {
  std::string text;
  for (const Experiment& experiment : experiments()) {
    text += (text.empty() ? "" : "\n\n") + std::string("Tables of `") + experiment.name + "`, " +
            experiment.publication + ":\n";
    for (const TableSource& table : experiment.tables) text += "\n " + table.id + "  " + table.title;
  }
  return text;
}

// Options that only some benchmarks read.
struct Readers {
  const char* option;
  std::vector<std::string> names;
};

// Throws UsageError if an option was given that the benchmark `name` does not read.
void refuse_unread(const std::string& name, const Arguments& arguments) {
  static const Readers kReaders[] = {{"sequences", {"tune"}},
                                     {"largest", {"maximum", "sort", "subsequence"}},
                                     {"smallest", {"maximum", "sort", "subsequence"}},
                                     {"limit", {"maximum", "subsequence"}},
                                     {"words-per-item", {"sort"}},
                                     {"work-group", {"sort"}},
                                     {"profiles", {"ladder"}},
                                     {"database", {"ladder"}}};
  for (const auto& [option, names] : kReaders) {
    if (!arguments.has(option) || std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string readers;
    for (const std::string& reader : names) readers += (readers.empty() ? "bench " : ", bench ") + reader;
    throw UsageError(std::string("--") + option + " is for " + readers + "; bench " + name +
                     " does not read it");
  }
}

void run(const Arguments& arguments) {
  const std::string& wanted = arguments.positional[0];
  const std::vector<Experiment> all = experiments();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Experiment& one) { return one.name == wanted; });
  if (wanted != "tune" && found == all.end()) {
    std::vector<std::string> names{"tune"};
    for (const Experiment& experiment : all) names.push_back(experiment.name);
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    throw UsageError("there is no benchmark " + wanted + did_you_mean(wanted, names) + "; expected one of " +
                     known);
  }
  refuse_unread(wanted, arguments);
  if (wanted == "tune") return tune(arguments);
  run_experiment(*found, arguments);
}

}  // namespace

Command bench_command() { return {kHelp, options, run, list_of_tables}; }

}  // namespace gpuhmm::cli
