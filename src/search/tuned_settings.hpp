// The settings of a device's kernels that the user has had tuned.
#pragma once

#include <stdexcept>
#include <string>

#include "gpuhmm/device.hpp"
#include "gpuhmm/error.hpp"

namespace gpuhmm {

/// Gives make(settings), with the settings of the device in device_table_path(), or none. Throws FileError if
/// the table is damaged or make() throws std::invalid_argument.
template <class Make>
auto with_tuned_settings(const DeviceInfo& device, const Make& make) {
  const std::string path = device_table_path();
  const DeviceTable table = read_device_table(path);
  const auto found = table.find(device.name);
  try {
    return make(found != table.end() ? found->second : DeviceSettings());
  } catch (const std::invalid_argument& error) {
    throw FileError(path + ": device \"" + device.name + "\": " + error.what());
  }
}

}  // namespace gpuhmm
