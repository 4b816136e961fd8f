// Kernel shapes suit the device.
#include "filter/opencl/variant.hpp"

#include <gtest/gtest.h>

namespace gpuhmm {
namespace {

DeviceInfo device(DeviceType type) {
  DeviceInfo info;
  info.type = type;
  info.compute_units = 4;
  info.max_work_group = 1024;
  return info;
}

TEST(ChooseVariant, GivesVectorsOnCpusAndOneSequencePerWorkItemElsewhere) {
  DeviceInfo cpu = device(DeviceType::Cpu);
  cpu.vector_width = 16;
  EXPECT_EQ(choose_variant(cpu).lanes, 16U);
  cpu.vector_width = 4;
  EXPECT_EQ(choose_variant(cpu).lanes, 8U);
  const KernelVariant gpu = choose_variant(device(DeviceType::Gpu));
  EXPECT_EQ(gpu.lanes, 1U);
  EXPECT_EQ(gpu.width(), gpu.work_group);
  for (const DeviceType type : {DeviceType::Cpu, DeviceType::Gpu, DeviceType::Other}) {
    EXPECT_EQ(choose_variant(device(type)).rows % 4, 0U);
  }
  DeviceInfo small = device(DeviceType::Gpu);
  small.max_work_group = 16;
  EXPECT_EQ(choose_variant(small).work_group, 16U);
}

TEST(ChooseStripedVariant, FitsTheVectorsOfACpu) {
  DeviceInfo cpu = device(DeviceType::Cpu);
  for (const auto& [native_ints, bytes] : {std::pair{16U, 32U}, {8U, 32U}, {4U, 16U}, {0U, 16U}}) {
    cpu.vector_width = native_ints;
    EXPECT_EQ(choose_striped_variant(cpu).vector_bytes, bytes) << native_ints;
  }
  cpu.compute_units = 0;
  EXPECT_GT(choose_striped_variant(cpu).work_groups, 0U);
}

}  // namespace
}  // namespace gpuhmm
