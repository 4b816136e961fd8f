// Lists the devices of all platforms in a fixed order, as OpenCL objects.
#pragma once

#include <vector>

#include "opencl/cl.hpp"

namespace gpuhmm {

/// A device and its platform.
struct PlatformDevice {
  cl::Platform platform;
  cl::Device device;
};

/// All devices, by DeviceInfo::index. Platforms that fail are left out; the result may be empty.
std::vector<PlatformDevice> enumerate_devices();

}  // namespace gpuhmm
