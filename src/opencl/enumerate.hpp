// The devices of all platforms in one fixed order, as OpenCL objects.
#pragma once

#include <vector>

#include "opencl/cl.hpp"

namespace gpuhmm {

struct PlatformDevice {
  cl::Platform platform;
  cl::Device device;
};

/// Place in the result = DeviceInfo::index. Empty without any platform; platforms that cannot be asked add
/// nothing.
std::vector<PlatformDevice> enumerate_devices();

}  // namespace gpuhmm
