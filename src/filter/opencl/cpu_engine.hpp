// The engine for OpenCL devices that are CPUs: striped kernels with explicit vectors.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "filter/opencl/variant.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

struct CpuEngineOptions {
  /// Makes the engine for what the striped kernels do not prove; none: the plain reference.
  std::function<std::unique_ptr<ScoreEngine>()> make_general_engine = nullptr;
  /// Kernel shape; none: choose_striped_variant(device).
  std::optional<StripedVariant> variant = std::nullopt;
  /// Bytes of residues that go to the device in one piece, at most; 0: the device's largest allocation.
  std::size_t slice_bytes = 0;
};

/// An engine on `device` with the models and proofs of the host SIMD engine: 16-bit upper bounds where there
/// is a threshold and the model is glocal, exact 16-bit scores where the range proves them, else exact 32-bit
/// ones. Throws EngineFailure (device and cause), as all its calls do.
std::unique_ptr<ScoreEngine> make_cpu_engine(const DeviceInfo& device, CpuEngineOptions options = {});

}  // namespace gpuhmm
