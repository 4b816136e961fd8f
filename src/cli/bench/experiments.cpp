// Runs experiments: selects devices and tables, and writes text, JSON and plots.
#include "cli/bench/experiments.hpp"

#include <filesystem>
#include <iostream>
#include <sstream>

#include "cli/file_roles.hpp"
#include "cli/local_time.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "experiment/ladder/ladder.hpp"
#include "experiment/maximum/maximum.hpp"
#include "experiment/reduce/reduce_experiment.hpp"
#include "experiment/sort/sort.hpp"
#include "experiment/subsequence/subsequence_experiment.hpp"
#include "experiment/table_plot.hpp"
#include "experiment/table_text.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

using experiment::Experiment;
using experiment::Request;
using experiment::Table;
using experiment::TableSource;

// By default the first GPU, or else the first device. Several devices only for experiments that share work.
std::vector<DeviceInfo> devices_from(const Experiment& experiment, const std::string& spec) {
  if (spec == "none") return {};
  if (spec != "auto" && experiment.shares_work) return named_devices(spec).devices;
  if (spec != "auto") return {one_device(spec, true).value()};
  const std::vector<DeviceInfo> all = list_devices();
  if (const std::optional<DeviceInfo> gpu = select_device(all, "auto")) return {*gpu};
  return all.empty() ? all : std::vector<DeviceInfo>{all.front()};
}

std::vector<TableSource> tables_from(const Experiment& experiment, const Arguments& arguments) {
  std::vector<std::string> ids;
  std::istringstream list(arguments.text("table").value_or(""));
  for (std::string id; std::getline(list, id, ',');) ids.push_back(id);
  try {
    return chosen_tables(experiment, ids);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder + ": " + error.message());
}

void write_file(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

std::vector<Experiment> experiments() {
  return {experiment::ladder_experiment(), experiment::maximum_experiment(), experiment::sort_experiment(),
          experiment::subsequence_experiment(), experiment::reduce_experiment()};
}

void run_experiment(const Experiment& experiment, const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  const std::vector<TableSource> sources = tables_from(experiment, arguments);
  const std::optional<std::string> json = arguments.text("json"), plots = arguments.text("plots");
  const std::string output = output_from(arguments);
  Request request;
  request.profiles = arguments.text("profiles");
  request.sequences = arguments.text("database");
  FileRoles().reads(request.profiles).reads(request.sequences).writes(output).writes(json);
  request.devices = devices_from(experiment, arguments.get("device"));
  request.threads = threads_from(arguments);
  request.runs = static_cast<std::size_t>(arguments.find<std::int64_t>("runs").value_or(0));
  request.full = arguments.has("full");
  request.largest = static_cast<std::size_t>(arguments.find<std::int64_t>("largest").value_or(0));
  request.smallest = static_cast<std::size_t>(arguments.find<std::int64_t>("smallest").value_or(0));
  request.limit = arguments.find<double>("limit").value_or(0);
  request.words_per_item = static_cast<unsigned>(arguments.find<std::int64_t>("words-per-item").value_or(0));
  request.work_group = static_cast<std::size_t>(arguments.find<std::int64_t>("work-group").value_or(0));
  request.seed = static_cast<std::uint32_t>(arguments.get<std::int32_t>("seed"));
  if (!arguments.silent()) request.progress = [](const std::string& next) { std::cerr << next << "\n"; };

  const experiment::Provenance provenance{GPUHMM_VERSION, arguments.command_line,
                                          local_time_text("%Y-%m-%d")};
  if (plots) make_folder(*plots);
  OutputFile out(output);
  out.write(heading_text(experiment, request, provenance));
  std::vector<Table> tables;
  for (const TableSource& source : sources) {
    request.report("table " + source.id + ": " + source.title);
    tables.push_back(experiment::measure(source, request));
    out.write("\n" + table_text(tables.back()));
    out.flush();  // the next table may take hours
    if (plots)
      write_file(*plots + "/" + experiment.name + "-" + source.id + ".svg", table_plot(tables.back()));
  }
  out.commit();
  if (json) write_file(*json, json_line(run_json(experiment, request, provenance, tables)));
  statistics.count("tables", tables.size());
  statistics.print();
}

}  // namespace gpuhmm::cli
