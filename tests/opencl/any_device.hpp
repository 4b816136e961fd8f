// A device and small kernels for tests.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "opencl/open_device.hpp"

namespace gpuhmm::testing {

inline DeviceInfo any_device() {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw std::runtime_error("no OpenCL device: is PoCL installed?");
  return devices.front();
}

inline const KernelSources& small_sources() {
  static const KernelSources sources = {
      {"factor.cl", "#define FACTOR 3\n"},
      {"multiply.cl",
       "__kernel void multiply(__global int* values, int plus, __local int* staged) {\n"
       "  staged[get_local_id(0)] = values[get_global_id(0)];\n"
       "  barrier(CLK_LOCAL_MEM_FENCE);\n"
       "  values[get_global_id(0)] = staged[get_local_id(0)] * FACTOR + plus;\n"
       "}\n"}};
  return sources;
}

}  // namespace gpuhmm::testing
