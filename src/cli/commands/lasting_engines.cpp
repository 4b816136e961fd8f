// Opens devices once for both kinds of profiles.
#include "cli/commands/lasting_engines.hpp"

#include <limits>
#include <vector>

#include "cli/message.hpp"
#include "cli/options.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine_maker.hpp"

namespace gpuhmm::cli {

namespace {

Warning on_warning() {
  return [](const std::string& message) { warn(message); };
}

}  // namespace

LastingEngines::LastingEngines(const std::string& device, unsigned threads, const Verification& verification)
    : pool_(EngineMaker(device, threads).make({std::numeric_limits<double>::infinity(), true}, on_warning()),
            on_warning(), PoolOptions{1, threads, verification, nullptr}),
      named_(names_devices(device)),
      threads_(threads) {
  std::vector<DeviceInfo> devices;
  if (named_) {
    devices = named_devices(device).devices;
  } else if (device == "auto") {
    if (const auto gpu = select_device(list_devices(), "auto")) devices.push_back(*gpu);
  }
  if (!devices.empty()) devices_.emplace(devices, threads);
}

}  // namespace gpuhmm::cli
