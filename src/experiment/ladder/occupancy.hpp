// How many work-items of a kernel an NVIDIA multiprocessor holds at a time.
#pragma once

#include <cstddef>
#include <optional>

#include "opencl/open_device.hpp"

namespace gpuhmm::experiment::ladder {

/// Limits of a multiprocessor; registers and warps are given out in units.
struct Multiprocessor {
  int registers, warps, groups;
  std::size_t local_bytes;
  int register_unit, warp_unit;
};

/// Of the publication's GPU (compute capability 2.1).
inline constexpr Multiprocessor kFermi{32'768, 48, 8, 49'152, 64, 2};

/// Of a device; nothing if it is not NVIDIA's or of a generation that is not known here.
std::optional<Multiprocessor> multiprocessor_of(const OpenDevice& device);

/// The part of the warps, 0 to 1, that groups of so many work-items fill; 0 if no group fits.
double occupancy(const Multiprocessor& on, int registers, std::size_t local_bytes, std::size_t group);

}  // namespace gpuhmm::experiment::ladder
