// docs/kernels-gpu.md has the measurements behind these numbers.
#include "align/opencl/path_variant.hpp"

#include <algorithm>

#include "align/opencl/path_model.hpp"

namespace gpuhmm::grid {

PathVariant choose_path_variant(const DeviceInfo& device) {
  constexpr std::size_t kMostRecord = std::size_t{128} << 20;
  constexpr std::size_t kMostLocal = 47U << 10, kStepBytes = kPathItems * sizeof(cl_int2);
  PathVariant variant;
  variant.streams = 16;
  variant.record_bytes = static_cast<std::size_t>(
      std::min<std::uint64_t>({kMostRecord, device.max_allocation, device.memory / 8 / variant.streams}));
  variant.most_steps = std::min<std::size_t>(kMostLocal, device.local_memory * 3 / 4) / kStepBytes;
  variant.most_cost = 100'000;
  variant.least_cells = 2e7;
  return variant;
}

}  // namespace gpuhmm::grid
