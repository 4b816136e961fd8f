// Whatever settings GPU kernels have, the sequences of a work-group lie in one block.
#include "filter/opencl/gpu_shapes.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "filter/opencl/gpu_variant.hpp"

namespace gpuhmm {
namespace {

DeviceInfo gpu(const std::string& vendor) {
  DeviceInfo device;
  device.type = DeviceType::Gpu;
  device.vendor = vendor;
  device.local_memory = 48U << 10;
  device.max_work_group = 1024;
  device.compute_units = 100;
  return device;
}

bool is_allowed(const GpuVariant& variant, const std::string& setting, std::int64_t value) {
  try {
    with_settings(variant, {{setting, value}});
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

void expect_in_a_block(const GpuVariant& variant, GpuModels models) {
  for (const int pairs : {1, 20, 100, 400, 2000}) {
    const std::size_t sequences = packed_shape(variant, models, pairs).group_sequences;
    EXPECT_EQ(kGpuBlock % sequences, 0U) << sequences << " sequences, " << pairs << " pairs";
  }
}

TEST(GpuShapes, WorkGroupsHaveSequencesOfOneBlock) {
  for (const char* const vendor : {"NVIDIA", "another"}) {
    const GpuVariant built_in = choose_gpu_variant(gpu(vendor));
    int allowed = 0;
    for (std::int64_t group = 1; group <= 1024; ++group) {
      for (const auto& [setting, models] :
           {std::pair("packed_group", GpuModels::One), {"packed_two_group", GpuModels::Two}}) {
        if (!is_allowed(built_in, setting, group)) continue;
        ++allowed;
        expect_in_a_block(with_settings(built_in, {{setting, group}}), models);
      }
      for (const char* const setting : {"exact_group", "ssv_group"}) {
        if (!is_allowed(built_in, setting, group)) continue;
        ++allowed;
        EXPECT_EQ(kGpuBlock % static_cast<std::size_t>(group), 0U) << setting;
      }
    }
    EXPECT_EQ(allowed, 5 + 6 + 6 + 6);  // powers of two from 8 to 128, or 256
  }
}

// So large models need fewer copies of their tables.
TEST(GpuShapes, LargeTablesAreSharedByMore) {
  const GpuVariant built_in = choose_gpu_variant(gpu("NVIDIA"));
  EXPECT_EQ(packed_shape(built_in, GpuModels::One, 20).group, built_in.packed.group);
  EXPECT_EQ(packed_shape(built_in, GpuModels::One, 400).group, 2 * built_in.packed.group);
  EXPECT_EQ(packed_shape(with_settings(built_in, {{"packed_group", 128}}), GpuModels::One, 400).group, 128U);
}

}  // namespace
}  // namespace gpuhmm
