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

/// Settings of make_cpu_engine.
struct CpuEngineOptions {
  /// Makes the engine for sequences whose scores the striped kernels cannot prove; none: the plain reference.
  std::function<std::unique_ptr<ScoreEngine>()> make_general_engine = nullptr;
  /// Kernel shape; none: choose_striped_variant(device).
  std::optional<StripedVariant> variant = std::nullopt;
  /// The most residues (one byte each) in one buffer on the device; 0: the device's largest allocation.
  std::size_t slice_bytes = 0;
};

/// Cells a second that such a device scores, roughly.
inline double expected_cpu_speed(const DeviceInfo& device) { return 5e9 * device.compute_units; }

/// An engine on `device` with the models and proofs of the host SIMD engine: 16-bit upper bounds if there is
/// a threshold and the model is glocal, exact 16-bit scores where they are provable, otherwise exact 32-bit
/// scores. This function and all calls of the engine throw EngineFailure (device and cause).
std::unique_ptr<ScoreEngine> make_cpu_engine(const DeviceInfo& device, CpuEngineOptions options = {});

}  // namespace gpuhmm
