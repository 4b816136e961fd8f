// Lists the devices of each platform.
#include "opencl/enumerate.hpp"

namespace gpuhmm {

std::vector<PlatformDevice> enumerate_devices() {
  // Both calls fail if there are no platforms or devices, and also if the hardware of a driver is missing.
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    return {};
  }
  std::vector<PlatformDevice> result;
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> devices;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error&) {
      continue;
    }
    for (const cl::Device& device : devices) result.push_back({platform, device});
  }
  return result;
}

}  // namespace gpuhmm
