// `gpuhmm bench tune`: finds the fastest kernel settings for a device and stores them.
#include <iostream>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/tune.hpp"
#include "util/format.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(bench tune
Tune the kernels for a device

`gpuhmm bench tune` tries settings of the kernels on a device (work-group size,
rows per tile, models per launch and others), one after the other, with random
sequences of Swiss-Prot's lengths, and stores the fastest ones in a table. Later
searches use the table; answers do not depend on it. The built-in settings were
tuned on an NVIDIA H100 and on CPUs with AVX2.

The table is $GPUHMM_DEVICES, else $XDG_CONFIG_HOME/gpuhmm/devices.json, else
~/.config/gpuhmm/devices.json; it has an entry for each device name. Delete an
entry, or the file, to go back to the built-in settings.

examples:
gpuhmm bench tune
gpuhmm bench tune --device NVIDIA -o /etc/gpuhmm/devices.json)";

OptionTable options() {
  OptionTable all("options");
  all.add("output,o", file(), "the table to change (default: the table that searches use)");
  all.add("sequences", value<std::int64_t>("N").within(1),
          "number of random sequences (default: enough to keep the device busy)");
  add_message_options(all, "no report of the settings that are tried");
  add_compute_options(all);
  return all;
}

// The device to tune: by default the first GPU, or else the first device.
DeviceInfo device_from(const std::string& spec) {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw DeviceError("no OpenCL device to tune");
  try {
    const std::optional<DeviceInfo> device = select_device(devices, spec);
    if (device) return *device;
  } catch (const std::invalid_argument& error) {
    throw DeviceError(error.what());
  }
  if (spec == "none") throw DeviceError("--device none: only OpenCL devices have settings");
  return devices.front();
}

void report(const TuningStep& step) {
  const std::string choice =
      step.setting.empty() ? "built in" : step.setting + " " + std::to_string(step.value);
  std::cerr << (step.cells_per_second ? format("%-28s %8.2f GCUPS%s\n", choice.c_str(),
                                               *step.cells_per_second * 1e-9, step.kept ? "  kept" : "")
                                      : format("%-28s fails: %s\n", choice.c_str(), step.failure.c_str()));
}

void say_nothing(const TuningStep& /*step*/) {}

void run(const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  if (arguments.positional[0] != "tune") {
    throw UsageError("there is no benchmark '" + arguments.positional[0] + "'; expected tune");
  }
  const std::string path = arguments.text("output").value_or(device_table_path());
  if (path.empty()) throw UsageError("no place for the table; expected -o FILE or the variable HOME");
  DeviceTable table = read_device_table(path);
  const unsigned threads = threads_from(arguments);
  const DeviceInfo device = device_from(arguments.get("device"));
  const auto wanted = arguments.find<std::int64_t>("sequences");
  const std::size_t sequences = wanted ? static_cast<std::size_t>(*wanted) : suitable_sequences(device);
  const bool quiet = arguments.has("quiet");
  if (!quiet) std::cerr << device.name << ", " << sequences << " sequences\n";
  const Tuning tuning = tune_device(device, sequences, threads, quiet ? say_nothing : report);
  table.erase(device.name);
  if (!tuning.settings.empty()) table[device.name] = tuning.settings;
  write_device_table(path, table);
  if (!quiet) {
    std::cerr << format("%s: %.2f GCUPS, built in %.2f; ", device.name.c_str(),
                        tuning.cells_per_second * 1e-9, tuning.built_in_cells_per_second * 1e-9)
              << (tuning.settings.empty() ? "nothing to keep" : "kept in " + path) << "\n";
  }
  statistics.count("sequences", sequences);
  statistics.print();
}

}  // namespace

Command bench_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
