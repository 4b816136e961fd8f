// What the benchmarks of the commands on numbers share: options, the device, times, and the end of a run.
#pragma once

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

#include "gpuhmm/device.hpp"

namespace gpuhmm::bench {

/// Differences found so far; a benchmark that finds any ends with status 1.
inline int& differences() {
  static int count = 0;
  return count;
}

/// Counts and prints a difference.
inline void check(bool same, const std::string& what) {
  if (same) return;
  ++differences();
  std::printf("DIFFERENCE: %s\n", what.c_str());
}

/// Processor seconds of this program so far.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least of `repeats` values of measure().
template <class Measure>
double best_of(int repeats, const Measure& measure) {
  double best = measure();
  for (int i = 1; i < repeats; ++i) best = std::min(best, measure());
  return best;
}

/// The device that `name` chooses, as for gpuhmm; nothing for "none".
inline std::optional<DeviceInfo> chosen_device(const std::string& name) {
  const std::vector<DeviceInfo> devices = list_devices();
  std::optional<DeviceInfo> device = select_device(devices, name);
  if (!device && name == "auto" && !devices.empty()) device = devices.front();
  if (device) {
    std::printf("device: %s, driver %s, %u units\n", device->name.c_str(), device->driver.c_str(),
                device->compute_units);
  }
  return device;
}

/// Parses the options into `given`, calls body(), and gives the exit status: 1 if results differed.
template <class Body>
int run(int argc, char** argv, boost::program_options::options_description& options,
        boost::program_options::variables_map& given, const Body& body) {
  namespace po = boost::program_options;
  try {
    options.add_options()("help", "show this");
    po::store(po::parse_command_line(argc, argv, options), given);
    po::notify(given);
    if (given.count("help") > 0) {
      std::cout << options;
      return 0;
    }
    body();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  std::printf("%s\n", differences() == 0 ? "all results agree" : "RESULTS DIFFER");
  return differences() == 0 ? 0 : 1;
}

}  // namespace gpuhmm::bench
