// Computes how many work-items of a kernel an NVIDIA multiprocessor runs at a time.
#pragma once

#include <cstddef>
#include <optional>

#include "opencl/open_device.hpp"

namespace gpuhmm::experiment::ladder {

/// Limits of a multiprocessor. Registers and warps are allocated in units.
struct Multiprocessor {
  int registers, warps, groups;
  std::size_t local_bytes;
  int register_unit, warp_unit;
};

/// The limits of the publication's GPU (compute capability 2.1).
inline constexpr Multiprocessor kFermi{32'768, 48, 8, 49'152, 64, 2};

/// The limits of a device; nothing if it is not NVIDIA's or of an unknown generation.
std::optional<Multiprocessor> multiprocessor_of(const OpenDevice& device);

/// The occupancy, 0 to 1: the fraction of the warps that work-groups of so many work-items fill; 0 if none
/// fits.
double occupancy(const Multiprocessor& on, int registers, std::size_t local_bytes, std::size_t group);

}  // namespace gpuhmm::experiment::ladder
