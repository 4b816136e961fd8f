// A device whose packed kernel takes two models at a time, for the tests of calls that share its launches.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "filter/opencl/gpu_variant.hpp"
#include "gpuhmm/device.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm::testing {

class GpuModelPairing : public ::testing::Test {
 protected:
  GpuModelPairing() {
    const std::vector<DeviceInfo> devices = list_devices();
    if (devices.empty()) throw std::runtime_error("there is no OpenCL device (PoCL must be installed)");
    device_ = devices.front();
    open_.emplace(device_);
    variant_ = choose_gpu_variant(device_);
    variant_.two_models = true;
    variant_.long_sequence = 700;
  }

  DeviceInfo device_;
  std::optional<OpenDevice> open_;
  GpuVariant variant_;
};

}  // namespace gpuhmm::testing
