// What a device lacks.
#include "experiment/resources.hpp"

#include <gtest/gtest.h>

namespace gpuhmm::experiment {
namespace {

DeviceInfo small_device() {
  DeviceInfo device;
  device.local_memory = 32768;
  device.max_work_group = 256;
  device.memory = 4'000'000;
  device.max_allocation = 2'000'000;
  return device;
}

TEST(Lacking, NamesTheResourceWithBothNumbers) {
  EXPECT_EQ(lacking(small_device(), {65536, 64, 10}),
            "needs 65,536 bytes of local memory; the device has 32,768");
  EXPECT_EQ(lacking(small_device(), {0, 1024, 10}),
            "needs 1,024 work-items in a work-group; the device takes 256");
}

TEST(Lacking, AllowsABufferAQuarterOfTheMemory) {
  EXPECT_EQ(lacking(small_device(), {32768, 256, 1'000'000}), std::nullopt);
  EXPECT_EQ(lacking(small_device(), {32768, 256, 1'000'004}),
            "needs 1,000,004 bytes in one buffer; the device can give 1,000,000");
}

TEST(GroupedDigits, HaveACommaBeforeEachThree) {
  EXPECT_EQ(grouped_digits(0), "0");
  EXPECT_EQ(grouped_digits(999), "999");
  EXPECT_EQ(grouped_digits(1000), "1,000");
  EXPECT_EQ(grouped_digits(12345678), "12,345,678");
}

}  // namespace
}  // namespace gpuhmm::experiment
