// `gpuhmm bench tune`: finds the fastest kernel settings for a device and stores them.
#include "cli/bench/tune.hpp"

#include <iostream>

#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/tune.hpp"
#include "util/format.hpp"

namespace gpuhmm::cli {

namespace {

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

std::string built_in(TunedKernels kernels) {
  return kernels == TunedKernels::Ssv ? "HMMER3's SSV, built in" : "built in";
}

void report(const TuningStep& step) {
  const std::string choice =
      !step.setting.empty() ? step.setting + " " + std::to_string(step.value) : built_in(step.kernels);
  std::cerr << (step.cells_per_second ? format("%-28s %8.2f GCUPS%s\n", choice.c_str(),
                                               *step.cells_per_second * 1e-9, step.kept ? "  kept" : "")
                                      : format("%-28s fails: %s\n", choice.c_str(), step.failure.c_str()));
}

void say_nothing(const TuningStep& /*step*/) {}

}  // namespace

void tune(const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
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
    std::cerr << format("%s: %.2f GCUPS, built in %.2f; ", device.name.c_str(), tuning.filters.tuned * 1e-9,
                        tuning.filters.built_in * 1e-9);
    if (tuning.ssv.built_in > 0) {
      std::cerr << format("HMMER3's SSV %.2f, built in %.2f; ", tuning.ssv.tuned * 1e-9,
                          tuning.ssv.built_in * 1e-9);
    }
    std::cerr << (tuning.settings.empty() ? "nothing to keep" : "kept in " + path) << "\n";
  }
  statistics.count("sequences", sequences);
  statistics.print();
}

}  // namespace gpuhmm::cli
