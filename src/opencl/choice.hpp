// The user's choice of devices for work that several can share.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "opencl/device.hpp"

namespace gpuhmm {

/// The device asked for cannot be used: what() is one line. Ends the program with exit code 3.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Devices named by the user.
struct NamedDevices {
  std::vector<DeviceInfo> devices;  ///< at least one
  bool host_too = false;            ///< the host ("none") is named beside them
};

/// Looks up `spec`: all (every GPU), the name or index of an OpenCL device, or several of these and none
/// separated by commas. Throws DeviceError if there is no such device.
NamedDevices named_devices(const std::string& spec);

}  // namespace gpuhmm
