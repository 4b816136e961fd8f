// Computes levels (levels.hpp) on an OpenCL device, keeps all of them in its memory, and traces the answer
// there (cl/subsequence.cl).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "companion/subsequence/levels.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm {

/// How a level is computed; see the methods of the same names in subsequence.hpp.
enum class DeviceLevelMethod : std::uint8_t { Elements, Levels, Blocks };

/// The positions of an answer, and the seconds from the start of the first kernel to the end of the last.
struct DeviceTrace {
  std::vector<std::size_t> positions;
  double kernel_seconds = 0;
};

/// Searches vectors on one device. All calls throw EngineFailure.
class DeviceLevels {
 public:
  explicit DeviceLevels(const DeviceInfo& device);

  /// The reason, as text, why this device cannot search a vector of `count` elements for subsequences of
  /// `elements` elements with sums of `sum_bytes` bytes; empty if it can.
  std::string obstacle(std::size_t count, std::size_t elements, std::size_t sum_bytes,
                       DeviceLevelMethod method) const;

  /// Does what LevelSearch::find does. Sum: std::int32_t or std::int64_t. `elements`: from 1 to the vector's
  /// length. `block`: elements of a block, 256, 512 or 1024; 0 chooses by the length. Throws
  /// WrongDeviceResult if a check of the result fails.
  template <class Sum>
  DeviceTrace find(const RankedVector<Sum>& vector, std::size_t elements, bool or_fewer,
                   DeviceLevelMethod method, std::size_t block = 0);

 private:
  OpenDevice device_;
};

}  // namespace gpuhmm
