// Levels on an OpenCL device (cl/subsequence.cl), all kept in its memory, and the walk back there too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "companion/subsequence/levels.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm {

/// How a level is computed.
enum class DeviceLevelMethod : std::uint8_t { Elements, Levels, Blocks };

/// An answer, and how long the device took from its first kernel to the end of its last.
struct DeviceTrace {
  std::vector<std::size_t> positions;
  double kernel_seconds = 0;
};

/// A device in use. Every call throws EngineFailure.
class DeviceLevels {
 public:
  explicit DeviceLevels(const DeviceInfo& device);

  /// Why a vector of `count` elements with sums of `sum_bytes` cannot be searched for `elements` here, in
  /// words; empty if it can.
  std::string obstacle(std::size_t count, std::size_t elements, std::size_t sum_bytes,
                       DeviceLevelMethod method) const;

  /// As LevelSearch::find. Sum: int32 or int64. `elements` is at least 1 and at most the vector's length;
  /// `block`: elements of a block, 256, 512 or 1024, or 0 for what suits the length.
  template <class Sum>
  DeviceTrace find(const RankedVector<Sum>& vector, std::size_t elements, bool or_fewer,
                   DeviceLevelMethod method, std::size_t block = 0);

 private:
  OpenDevice device_;
};

}  // namespace gpuhmm
