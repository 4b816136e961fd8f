// Chooses the shapes of the kernels cl/viterbi.cl and cl/striped.cl for a device.
#include "filter/opencl/variant.hpp"

#include <algorithm>

namespace gpuhmm {

KernelVariant choose_variant(const DeviceInfo& device) {
  KernelVariant variant;
  if (device.type == DeviceType::Cpu) {
    variant.lanes = device.vector_width >= 16 ? 16 : 8;
    variant.rows = 4;
    variant.work_group = 1;
    // Enough to load all cores evenly; few enough that their borders stay in the caches.
    variant.launch_groups = std::size_t{8} * device.compute_units;
    // An eighth of the work of a SIMD lane: the other lanes wait for a lane with a very long sequence.
    variant.long_share = std::size_t{8} * device.compute_units * variant.lanes;
    return variant;
  }
  variant.lanes = 1;
  variant.rows = 16;
  variant.work_group = static_cast<unsigned>(std::min<std::size_t>(64, device.max_work_group));
  // About 512 work-items keep a compute unit busy, each with its own sequence.
  variant.long_share = std::size_t{512} * device.compute_units;
  return variant;
}

namespace {

// Shapes by the number of 32-bit integers in a native vector; the first row whose native_ints a device
// reaches counts.
struct StripedRow {
  std::size_t native_ints;
  std::size_t vector_bytes, smallest_whole_row, largest_whole_row;
};
constexpr StripedRow kStripedRows[] = {
    {8, 32, 320, 2400},  // AVX2 and wider; 64 bytes are more than OpenCL's longest vector of 16-bit scores
    {0, 16, 0, 0},       // SSE, NEON
};

}  // namespace

StripedVariant choose_striped_variant(const DeviceInfo& device) {
  const StripedRow& row = *std::ranges::find_if(
      kStripedRows, [&](const StripedRow& r) { return device.vector_width >= r.native_ints; });
  // Work-groups take groups of sequences from a counter; with several work-groups for each thread, every
  // thread gets one.
  return {row.vector_bytes, row.smallest_whole_row, row.largest_whole_row,
          std::size_t{8} * std::max<std::size_t>(1, device.compute_units)};
}

std::string build_options(const KernelVariant& variant, std::int32_t low) {
  return "-cl-std=CL1.2 -DLANES=" + std::to_string(variant.lanes) +
         " -DROWS=" + std::to_string(variant.rows) + " -DGROUP=" + std::to_string(variant.work_group) +
         " -DLOW=(" + std::to_string(low) + ")";
}

}  // namespace gpuhmm
