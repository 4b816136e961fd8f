// The exact engine for any OpenCL device.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "filter/opencl/variant.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

/// Settings of make_opencl_engine.
struct OpenClOptions {
  /// Device memory to use for residues and working memory, in bytes; 0: three quarters of a GPU's memory, an
  /// eighth of the host's for a CPU device. Sequences that do not fit stay on the host and are sent again for
  /// every profile.
  std::size_t memory_budget = 0;
  /// Sequences longer than this many residues go to the host engine while the device works; 0: those that
  /// would delay the device, with at most one in a hundred residues of a batch.
  std::size_t long_sequence = 0;
  /// Threads for packing and for scores that the device cannot prove; 0: one for each processor.
  unsigned host_threads = 0;
  /// Engine for long sequences; none: the plain reference with host_threads.
  std::unique_ptr<ScoreEngine> host_engine;
  /// Kernel shape; none: choose_variant(device).
  std::optional<KernelVariant> variant;
  /// For tests: called before every kernel launch with its number, from 1. Returns an OpenCL status; if that
  /// is not CL_SUCCESS, the launch fails with it.
  std::function<int(std::size_t launch)> launch_status;
  /// For tests: called before each copy of residues to the device with their size.
  std::function<void(std::size_t bytes)> sending;
};

/// An engine on `device` whose scores are always exact; it ignores thresholds. When the device runs out of
/// memory, it continues with smaller launches. This function and all calls of the engine throw EngineFailure
/// (device and cause).
std::unique_ptr<ScoreEngine> make_opencl_engine(const DeviceInfo& device, OpenClOptions options = {});

}  // namespace gpuhmm
