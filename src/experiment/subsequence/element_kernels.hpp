// Computes the published recurrence on an OpenCL device, one launch per element (cl/subsequence_elements.cl).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "experiment/subsequence/element_sums.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::experiment {

/// How the kernel is launched for each element.
struct ElementLaunch {
  enum class Memory : std::uint8_t { Global, Local };
  enum class Pace : std::uint8_t {
    Waiting,  ///< as published: n work-items for every element, and the host waits after each launch
    Queued    ///< as many work-items as there are earlier elements, and the host waits once
  };

  Memory memory = Memory::Global;
  Pace pace = Pace::Waiting;
  std::size_t group = 32;  ///< work-items of a work-group
};

/// The table of sums, and the seconds from the start of the first launch to the end of the last.
struct ElementRun {
  ElementSums sums;
  double seconds = 0;
};

/// A device with the published kernels. Calls throw EngineFailure.
class ElementKernels {
 public:
  explicit ElementKernels(const DeviceInfo& device);

  /// The reason why the device cannot run this for n elements and k lengths; empty if it can.
  std::string obstacle(std::size_t n, std::size_t k, const ElementLaunch& launch) const;
  /// Work-items of the largest work-group, a power of two up to 64, for which the local memory suffices.
  std::size_t fitting_group(std::size_t k) const;

  /// Runs the recurrence for at least two values; sums of k of them must fit 32 bits.
  ElementRun run(std::span<const std::int32_t> values, std::size_t k, const ElementLaunch& launch);

 private:
  OpenDevice device_;
  Queue queue_;
  KernelSet kernels_;
};

}  // namespace gpuhmm::experiment
