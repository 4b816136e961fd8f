// Chooses the shapes of the GPU kernels for a device. docs/kernels-gpu.md has the measurements behind them.
#include "filter/opencl/gpu_variant.hpp"

#include <algorithm>
#include <cstdint>

namespace gpuhmm {

bool GpuVariant::is_small(std::size_t residues) const {
  return residues * models_at_once < parallel_items * long_sequence;
}

std::size_t GpuVariant::longest_tiled(std::size_t residues) const {
  constexpr std::size_t kLeast = 300;
  return is_small(residues) ? std::max(kLeast, residues * models_at_once / parallel_items) : long_sequence;
}

GpuVariant choose_gpu_variant(const DeviceInfo& device) {
  GpuVariant variant;
  variant.local_bytes = device.local_memory;
  variant.exact.table_bytes = variant.packed.table_bytes = variant.packed_two.table_bytes =
      std::min<std::size_t>(48U << 10, device.local_memory);
  variant.chains = std::max(32U, 2 * device.compute_units);
  variant.nvidia = device.type == DeviceType::Gpu && device.vendor.find("NVIDIA") != std::string::npos;
  if (variant.nvidia) variant.models_at_once = 16;
  variant.edge_bytes =
      std::min<std::uint64_t>(device.max_allocation, device.memory / (4 * variant.models_at_once));
  if (variant.nvidia) {
    variant.exact.registers = 128;
    variant.packed.registers = 168;
    variant.packed.rows = 20;
    variant.packed.group = 64;
    variant.packed_two = variant.packed;
    variant.packed_two.rows = 24;
    variant.packed.step_nodes = variant.packed_two.step_nodes = 4;
    variant.two_models = true;
    variant.ssv.rows = 32;
    variant.ssv.registers = 128;
    variant.item_registers = 200;
    variant.packed_shared_table = 33U << 10;
    variant.long_sequence = 2000;
    variant.long_queues = 8;
    variant.parallel_items = std::size_t{640} * device.compute_units;
    variant.expected_speed = 2e10 * device.compute_units;
    return variant;
  }
  variant.expected_speed = 5e9 * device.compute_units;
  const auto group = static_cast<unsigned>(std::min<std::size_t>(64, device.max_work_group));
  variant.exact.rows = variant.packed.rows = variant.packed_two.rows = variant.ssv.rows = 16;
  variant.exact.group = variant.packed.group = variant.packed_two.group = variant.ssv.group =
      device.type == DeviceType::Cpu ? 8 : group;
  if (device.type == DeviceType::Cpu) {  // used for tests, where a quick build matters more
    variant.exact.rows = variant.packed.rows = variant.packed_two.rows = variant.ssv.rows = 8;
    variant.long_item_pairs = 1;
  }
  return variant;
}

std::string gpu_build_options(const GpuVariant& variant, unsigned rows, unsigned registers) {
  std::string options =
      "-cl-std=CL1.2 -DROWS=" + std::to_string(rows) + " -DNVIDIA=" + (variant.nvidia ? "1" : "0");
  if (variant.nvidia && registers > 0) options += " -cl-nv-maxrregcount=" + std::to_string(registers);
  return options;
}

}  // namespace gpuhmm
