// Choice of engines; see the header.
#include "search/engines.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "filter/combined_engine.hpp"
#include "filter/opencl/cpu_engine.hpp"
#include "filter/opencl/gpu_engine.hpp"
#include "filter/opencl/opencl_engine.hpp"

namespace gpuhmm {

namespace {

// Work (nodes x residues) that the host does in about the time a GPU needs to start: below it, OpenCL is not
// touched.
constexpr double kWorthStarting = 2e10;

std::unique_ptr<ScoreEngine> make_general_engine(const DeviceInfo& device, unsigned threads) {
  OpenClOptions options;
  options.host_threads = threads;
  options.host_engine = make_simd_engine(threads);
  return make_opencl_engine(device, std::move(options));
}

// Fast kernels for GPUs and CPUs; any other device gets the general one.
std::unique_ptr<ScoreEngine> make_device_engine(const DeviceInfo& device, unsigned threads) {
  if (device.type == DeviceType::Cpu) {
    return make_cpu_engine(
        device, {.make_general_engine = [device, threads] { return make_general_engine(device, threads); }});
  }
  if (device.type != DeviceType::Gpu) return make_general_engine(device, threads);
  GpuEngineOptions options;
  options.host_threads = threads;
  options.host_engine = make_simd_engine(threads);
  options.make_general_engine = [device, threads] { return make_general_engine(device, threads); };
  return make_gpu_engine(device, std::move(options));
}

}  // namespace

EngineMaker::EngineMaker(const std::string& device, unsigned threads)
    : automatic_(device == "auto"), threads_(threads) {
  if (automatic_ || device == "none") return;
  const std::vector<DeviceInfo> present = list_devices();
  try {
    std::istringstream names(device);
    for (std::string name; std::getline(names, name, ',');) {
      if (name == "none") {
        host_too_ = true;
      } else if (name == "all") {
        std::copy_if(present.begin(), present.end(), std::back_inserter(devices_),
                     [](const DeviceInfo& info) { return info.type == DeviceType::Gpu; });
      } else if (const std::optional<DeviceInfo> found = select_device(present, name)) {
        devices_.push_back(*found);
      }
    }
  } catch (const std::invalid_argument& error) {
    throw DeviceError(error.what());
  }
  if (devices_.empty())
    throw DeviceError("--device " + device + ": there is no such device; `gpuhmm devices` lists them");
}

std::vector<std::unique_ptr<ScoreEngine>> EngineMaker::make(double cells, bool more,
                                                            const Warning& warn) const {
  std::vector<DeviceInfo> devices = devices_;
  if (automatic_ && (more || cells >= kWorthStarting)) {
    if (const std::optional<DeviceInfo> gpu = select_device(list_devices(), "auto")) devices.push_back(*gpu);
  }
  std::vector<std::unique_ptr<ScoreEngine>> shared;
  for (const DeviceInfo& device : devices) {
    try {
      shared.push_back(make_device_engine(device, threads_));
    } catch (const EngineFailure& failure) {
      if (!automatic_) throw DeviceError(failure.what());
      warn(failure.what());
    }
  }
  if (host_too_) shared.push_back(make_simd_engine(threads_));
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  if (shared.size() == 1) {
    engines.push_back(std::move(shared.front()));
  } else if (!shared.empty()) {
    engines.push_back(make_combined_engine(std::move(shared), warn));
  }
  engines.push_back(make_simd_engine(threads_));
  return engines;
}

}  // namespace gpuhmm
