// Devices are listed and selected by name or number. The machine that runs the tests must have an OpenCL CPU
// device.
#include "gpuhmm/device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

namespace gpuhmm {
namespace {

DeviceInfo device(std::size_t index, const char* name, DeviceType type) {
  DeviceInfo info;
  info.index = index;
  info.name = name;
  info.type = type;
  info.compute_units = 4;
  info.max_work_group = 1024;
  return info;
}

const std::vector<DeviceInfo> kThree = {device(0, "pthread-EPYC", DeviceType::Cpu),
                                        device(1, "NVIDIA H100 80GB", DeviceType::Gpu),
                                        device(2, "GeForce RTX 3090", DeviceType::Gpu)};

TEST(ListDevices, FindsACpuDeviceWithItsProperties) {
  const std::vector<DeviceInfo> devices = list_devices();
  bool cpu = false;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    EXPECT_EQ(devices[i].index, i);
    EXPECT_FALSE(devices[i].name.empty());
    EXPECT_NE(devices[i].name.back(), '\0');
    EXPECT_FALSE(devices[i].platform.empty());
    EXPECT_FALSE(devices[i].driver.empty());
    EXPECT_GT(devices[i].memory, 0U);
    EXPECT_GT(devices[i].max_allocation, 0U);
    EXPECT_LE(devices[i].max_allocation, devices[i].memory);
    EXPECT_GT(devices[i].compute_units, 0U);
    cpu = cpu || devices[i].type == DeviceType::Cpu;
  }
  EXPECT_TRUE(cpu) << "no OpenCL CPU device: is PoCL installed?";
}

TEST(ListDevices, IsEmptyWithoutAnyPlatform) {
  // In another process: the loader looks for platforms once in each process.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
        std::exit(list_devices().empty() ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(SelectDevice, TakesTheFirstGpuOrNothingForAuto) {
  EXPECT_EQ(select_device(kThree, "auto")->index, 1U);
  EXPECT_FALSE(select_device({kThree[0]}, "auto"));
  EXPECT_FALSE(select_device({}, "auto"));
}

TEST(SelectDevice, TakesNothingForNone) { EXPECT_FALSE(select_device(kThree, "none")); }

TEST(SelectDevice, TakesIndexOrPartOfName) {
  EXPECT_EQ(select_device(kThree, "0")->index, 0U);
  EXPECT_EQ(select_device(kThree, "2")->index, 2U);
  EXPECT_EQ(select_device(kThree, "h100")->index, 1U);
  EXPECT_EQ(select_device(kThree, "geforce rtx")->index, 2U);
  EXPECT_EQ(select_device(kThree, "RTX 3090")->index, 2U);
}

TEST(SelectDevice, ListsTheDevicesInItsError) {
  for (const char* spec : {"3", "3090", "radeon", "", "-1"}) {
    try {
      select_device(kThree, spec);
      FAIL() << spec;
    } catch (const std::invalid_argument& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("\"" + std::string(spec) + "\""), std::string::npos) << text;
      EXPECT_NE(text.find("2 \"GeForce RTX 3090\""), std::string::npos) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
  }
  try {
    select_device({}, "0");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("there are no OpenCL devices"), std::string::npos);
  }
}

}  // namespace
}  // namespace gpuhmm
