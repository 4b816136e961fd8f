// The fast GPU kernels behind the engine interface.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "filter/opencl/gpu_variant.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

struct GpuEngineOptions {
  /// Threads for packing; 0: one a processor.
  unsigned host_threads = 0;
  /// Engine for what the kernels do not prove; none: the plain reference over host_threads.
  std::unique_ptr<ScoreEngine> host_engine;
  /// Makes the engine for models that the fast kernels do not take; none: the host engine takes them.
  std::function<std::unique_ptr<ScoreEngine>()> make_general_engine;
  /// Kernel shapes; none: choose_gpu_variant(device).
  std::optional<GpuVariant> variant;
  /// For tests: called with the residues of every piece that is sent to the device; true: as if the device
  /// had no memory left.
  std::function<bool(std::size_t residues)> out_of_memory;
};

/// An engine on `device`. Batches stay on the device; one that does not fit is cut in halves until the pieces
/// do, and these are sent anew for every model. Throws EngineFailure (device and cause), as all its calls do.
std::unique_ptr<ScoreEngine> make_gpu_engine(const DeviceInfo& device, GpuEngineOptions options);

}  // namespace gpuhmm
