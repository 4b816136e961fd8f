// The exact engine on an OpenCL device.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "filter/opencl/variant.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

struct OpenClOptions {
  /// Device memory to use for residues and working space, in bytes; 0: three quarters of a GPU's, an eighth
  /// of the host's for a CPU device. Sequences that do not fit stay on the host and are sent anew for every
  /// profile.
  std::size_t memory_budget = 0;
  /// Sequences longer than this many residues go to the host engine while the device works; 0: those that
  /// would hold up the device, at most one in a hundred residues of a batch.
  std::size_t long_sequence = 0;
  /// Threads for packing and for rescoring what the device cannot prove; 0: one a processor.
  unsigned host_threads = 0;
  /// Engine for long sequences; none: the plain reference over host_threads.
  std::unique_ptr<ScoreEngine> host_engine;
  /// Kernel shape; none: choose_variant(device).
  std::optional<KernelVariant> variant;
  /// For tests: called before every kernel launch with its number, from 1; a status other than 0 is taken for
  /// the launch's own.
  std::function<int(std::size_t launch)> launch_status;
  /// For tests: called with the size, in bytes, of all residues about to be sent to the device.
  std::function<void(std::size_t bytes)> sending;
};

/// An engine on `device` whose scores are always exact (thresholds are not needed). When the device runs out
/// of memory it goes on in smaller steps. Throws EngineFailure (device and cause), as all its calls do.
std::unique_ptr<ScoreEngine> make_opencl_engine(const DeviceInfo& device, OpenClOptions options = {});

}  // namespace gpuhmm
