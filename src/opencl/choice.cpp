// Finds the devices that the option --device names.
#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>

#include "gpuhmm/device.hpp"

namespace gpuhmm {

NamedDevices named_devices(const std::string& spec) {
  const std::vector<DeviceInfo> present = list_devices();
  NamedDevices named;
  try {
    std::istringstream names(spec);
    for (std::string name; std::getline(names, name, ',');) {
      const std::optional<DeviceInfo> found = select_device(present, name);
      if (name == "none") {
        named.host_too = true;
      } else if (name == "all") {
        std::copy_if(present.begin(), present.end(), std::back_inserter(named.devices),
                     [](const DeviceInfo& info) { return info.type == DeviceType::Gpu; });
      } else if (found) {
        named.devices.push_back(*found);
      }
    }
  } catch (const std::invalid_argument& error) {
    throw DeviceError(error.what());
  }
  if (named.devices.empty()) {
    throw DeviceError("--device " + spec + ": " +
                      (named.host_too ? "no device beside the host; expected none alone, or none with devices"
                                      : "there is no such device; `gpuhmm devices` lists them"));
  }
  return named;
}

}  // namespace gpuhmm
