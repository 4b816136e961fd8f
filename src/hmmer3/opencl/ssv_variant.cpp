// Shapes of the SSV kernel.
#include "hmmer3/opencl/ssv_variant.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "filter/opencl/gpu_layout.hpp"

namespace gpuhmm::hmmer3 {

std::string SsvVariant::build_options() const {
  return gpu_build_options(layout, shape.rows, shape.registers) + " -DGROUP=" + std::to_string(shape.group) +
         " -DBLOCK=" + std::to_string(kGpuBlock);
}

SsvVariant choose_ssv_variant(const DeviceInfo& device, const DeviceSettings& settings) {
  SsvVariant variant;
  variant.layout = choose_gpu_variant(device);
  if (device.type == DeviceType::Gpu) variant.layout = with_settings(variant.layout, settings);
  variant.shape = variant.layout.ssv;
  variant.layout.parallel_items = 0;
  variant.layout.long_sequence = std::numeric_limits<std::uint32_t>::max();
  // A driver may need some of the local memory itself; larger edges than this do not make launches faster.
  constexpr std::size_t kTables = std::size_t{40} << 10;
  constexpr std::uint64_t kEdges = std::uint64_t{4} << 30;
  variant.shape.table_bytes = std::min<std::size_t>(kTables, device.local_memory);
  variant.edge_bytes = std::min({device.max_allocation, device.memory / 8, kEdges});
  variant.part_length = 1024;
  variant.overlap = 256;
  if (variant.layout.nvidia) variant.launch_steps = 3e10;  // some 20 ms
  return variant;
}

}  // namespace gpuhmm::hmmer3
