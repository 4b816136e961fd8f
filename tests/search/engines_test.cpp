// Small work opens one of several devices, much work all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "gpuhmm/engine_maker.hpp"

namespace gpuhmm {
namespace {

using Places = std::vector<std::size_t>;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

DeviceInfo device_of(DeviceType type, unsigned units) {
  DeviceInfo info;
  info.type = type;
  info.vendor = type == DeviceType::Gpu ? "NVIDIA Corporation" : "";
  info.compute_units = units;
  return info;
}

TEST(WorthOpening, IsOneDeviceForSmallWorkAndAllForMuch) {
  const std::vector<DeviceInfo> four(4, device_of(DeviceType::Gpu, 132));
  EXPECT_EQ(worth_opening(four, 0), Places{0});
  EXPECT_EQ(worth_opening(four, 1.6e12), Places{0});
  EXPECT_EQ(worth_opening(four, 5e12), (Places{0, 1}));
  EXPECT_EQ(worth_opening(four, 39.5e12), (Places{0, 1, 2, 3}));
  EXPECT_EQ(worth_opening(four, kNoLimit), (Places{0, 1, 2, 3}));
  EXPECT_EQ(worth_opening({}, kNoLimit), Places{});
}

TEST(WorthOpening, IsOneOfMidRangeDevicesIfOneSuffices) {
  const std::vector<DeviceInfo> mid_range(4, device_of(DeviceType::Gpu, 60));
  EXPECT_TRUE(one_device_suffices(1e9));
  EXPECT_TRUE(one_device_suffices(1.07e12));
  EXPECT_EQ(worth_opening(mid_range, 1.07e12), Places{0});
  EXPECT_FALSE(one_device_suffices(1.09e12));
  EXPECT_EQ(worth_opening(mid_range, 1.09e12), (Places{0, 1}));
  EXPECT_FALSE(one_device_suffices(0));
  EXPECT_FALSE(one_device_suffices(kNoLimit));
}

TEST(WorthOpening, IsTheFastestFirst) {
  const std::vector<DeviceInfo> devices = {device_of(DeviceType::Cpu, 64), device_of(DeviceType::Gpu, 60),
                                           device_of(DeviceType::Gpu, 132)};
  EXPECT_EQ(worth_opening(devices, 0), Places{2});
  EXPECT_EQ(worth_opening(devices, 1e13), (Places{1, 2}));
  EXPECT_EQ(worth_opening(devices, 1e14), (Places{0, 1, 2}));
}

// The engines of devices, and the host's.
TEST(EngineMaker, KnowsWhatBatchesGpusPrefer) {
  EXPECT_EQ(EngineMaker("none", 1).preferred_batch(), 0U);
  EXPECT_EQ(EngineMaker("auto", 1).preferred_batch(), 0U);
  EXPECT_EQ(EngineMaker("0", 1).preferred_batch(), 0U) << "PoCL is no GPU";
}

TEST(EngineMaker, OpensFurtherDevicesOnceTheWorkIsKnownToBeMuch) {
  if (list_devices().empty()) GTEST_SKIP() << "no OpenCL device";
  const auto warn = [](const std::string& line) { ADD_FAILURE() << line; };
  const auto engines = [&](double begun, const ExpectedWork& work) {
    EngineMaker maker("0,0,none,0", 1);
    if (begun >= 0) maker.begin(begun);
    return maker.make(work, warn).size();
  };
  constexpr double kSmall = 1e3, kMuch = 1e18;
  for (const double begun : {-1.0, 0.0, kSmall}) {
    EXPECT_EQ(engines(begun, {.cells = kSmall}), 3U) << begun;
    EXPECT_EQ(engines(begun, {.cells = kMuch}), 5U) << begun;
  }
  EXPECT_EQ(engines(kMuch, {.cells = kSmall}), 5U);
  // Of work that is not known to its end the sizes of the files tell more.
  EXPECT_EQ(engines(kSmall, {.cells = kSmall, .more = true}), 3U);
  EXPECT_EQ(engines(0, {.cells = kSmall, .more = true}), 5U);
}

// Whether make() opens both, or begin() one of them, or both.
TEST(EngineMaker, PassesOnEachOfSeveralDevicesOnceItIsOpen) {
  if (list_devices().empty()) GTEST_SKIP() << "no OpenCL device";
  constexpr double kSmall = 1e3, kMuch = 1e18;
  for (const double begun : {-1.0, kSmall, kMuch}) {
    SCOPED_TRACE(begun);
    EngineMaker maker("0,0,none", 1);
    if (begun >= 0) maker.begin(begun);
    std::mutex mutex;
    std::vector<const ScoreEngine*> opened;
    std::promise<void> both;
    const auto made = maker.make(
        {.cells = kMuch}, [](const std::string& line) { ADD_FAILURE() << line; },
        [&, all = both.get_future().share()](ScoreEngine& engine, std::size_t devices) {
          EXPECT_EQ(devices, 2U);
          {
            const std::lock_guard lock(mutex);
            opened.push_back(&engine);
            if (opened.size() == 2) both.set_value();
          }
          EXPECT_EQ(all.wait_for(std::chrono::seconds(20)), std::future_status::ready)
              << "one must not wait for the other";
        });
    ASSERT_EQ(made.size(), 4U);
    std::vector<const ScoreEngine*> devices{made[0].get(), made[1].get()};
    std::ranges::sort(opened);
    std::ranges::sort(devices);
    EXPECT_EQ(opened, devices);
  }
}

TEST(EngineMaker, PassesNoSingleDeviceOn) {
  if (list_devices().empty()) GTEST_SKIP() << "no OpenCL device";
  const auto warn = [](const std::string& line) { ADD_FAILURE() << line; };
  const auto opened = [](ScoreEngine& engine, std::size_t) { ADD_FAILURE() << engine.description(); };
  constexpr double kSmall = 1e3, kMuch = 1e18;
  EXPECT_EQ(EngineMaker("0", 1).make({.cells = kMuch}, warn, opened).size(), 2U);
  EXPECT_EQ(EngineMaker("0,none", 1).make({.cells = kMuch}, warn, opened).size(), 3U);
  EXPECT_EQ(EngineMaker("0,0", 1).make({.cells = kSmall}, warn, opened).size(), 2U);
  EXPECT_EQ(EngineMaker("none", 1).make({.cells = kMuch}, warn, opened).size(), 1U);
}

}  // namespace
}  // namespace gpuhmm
