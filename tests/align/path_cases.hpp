// A device, and devices whose kernel gives something else, for tests of paths from devices.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "align/opencl/path_variant.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm::test {

inline DeviceInfo path_device() {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw std::runtime_error("no OpenCL device: is PoCL installed?");
  return devices.front();
}

/// The kernels, with one text of cl/gpu_paths.cl replaced by another.
inline KernelSources changed_paths(const std::string& from, const std::string& to) {
  KernelSources sources = kernel_sources();
  std::string& text = sources.at("gpu_paths.cl");
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("cl/gpu_paths.cl has no " + from);
  text.replace(at, from.size(), to);
  return sources;
}

/// Launches of few sequences, so that small batches have several, and long sequences for the host.
inline grid::PathVariant small_path_variant() {
  grid::PathVariant variant;
  variant.streams = 2;
  variant.least_launch = 3;
  variant.most_launch = 5;
  variant.record_bytes = std::size_t{1} << 20;
  variant.most_steps = 64;
  variant.most_cost = 300 * 12;
  return variant;
}

}  // namespace gpuhmm::test
