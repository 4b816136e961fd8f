// The device of the tests.
#pragma once

#include <stdexcept>
#include <vector>

#include "gpuhmm/device.hpp"

namespace gpuhmm::experiment::maximum {

/// The first OpenCL device. Throws without one.
inline DeviceInfo test_device() {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw std::runtime_error("no OpenCL device (PoCL is needed)");
  return devices.front();
}

}  // namespace gpuhmm::experiment::maximum
