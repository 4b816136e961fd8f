// The fast GPU kernels as a ScoreEngine.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "filter/opencl/gpu_variant.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

/// Settings of make_gpu_engine.
struct GpuEngineOptions {
  /// Threads for packing; 0: one for each processor.
  unsigned host_threads = 0;
  /// Engine for sequences whose scores the kernels cannot prove; none: the plain reference with host_threads.
  std::unique_ptr<ScoreEngine> host_engine;
  /// Makes the engine for models that the fast kernels do not support; none: the host engine.
  std::function<std::unique_ptr<ScoreEngine>()> make_general_engine;
  /// Kernel shapes; none: choose_gpu_variant(device).
  std::optional<GpuVariant> variant;
  /// For tests: called before each copy of sequences to the device with their number of residues. Returns
  /// true to simulate that the device is out of memory.
  std::function<bool(std::size_t residues)> out_of_memory;
};

/// An engine on `device`. Batches stay on the device; one that does not fit is halved until the pieces fit,
/// and these are sent again for every model. This function and all calls of the engine throw EngineFailure
/// (device and cause).
std::unique_ptr<ScoreEngine> make_gpu_engine(const DeviceInfo& device, GpuEngineOptions options);

}  // namespace gpuhmm
