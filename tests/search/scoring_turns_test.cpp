// Few profiles are scored at the same time at first and while devices align.
#include "search/scoring_turns.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gpuhmm/device.hpp"
#include "opencl/open_device.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {
namespace {

constexpr unsigned kMost = 10;

// The most turns that are held at the same time by 12 threads with several turns each.
unsigned most_at_a_time(ScoringTurns& turns) {
  std::atomic<unsigned> held = 0, most = 0;
  parallel_for(12, 120, 1, [&](std::size_t, std::size_t) {
    const ScoringTurns::Turn turn(turns);
    const unsigned now = ++held;
    for (unsigned before = most; before < now && !most.compare_exchange_weak(before, now);) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --held;
  });
  return most;
}

class ScoringTurnsWithDevices : public ::testing::Test {
 protected:
  ScoringTurnsWithDevices() {
    const std::vector<DeviceInfo> found = list_devices();
    if (found.empty()) throw std::runtime_error("there is no OpenCL device (PoCL must be installed)");
    open_.emplace(found.front());
    const std::vector<const OpenDevice*> lent = {&*open_};
    devices_.emplace(lent, Verification(), [](const std::string&) {});
  }

  std::optional<OpenDevice> open_;
  std::optional<PathDevices> devices_;
};

TEST_F(ScoringTurnsWithDevices, AreFewUntilTheFirstIsAligned) {
  ScoringTurns turns(kMost, &*devices_);
  { const ScoringTurns::Turn first(turns); }
  std::vector<std::optional<ScoringTurns::Turn>> held(5);
  for (std::size_t t = 0; t < 4; ++t) held[t].emplace(turns);
  std::atomic<bool> entered = false;
  const std::jthread fifth([&] {
    held[4].emplace(turns);
    entered = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(entered);
  turns.aligned();  // ends the wait
}

TEST_F(ScoringTurnsWithDevices, AreMoreOnceADeviceHasBegunAndEnds) {
  ScoringTurns turns(kMost, &*devices_);
  {
    const PathDevices::Use use(*devices_);
    const ScoringTurns::Turn beside(turns);
  }
  std::vector<std::optional<ScoringTurns::Turn>> held(kMost);
  for (auto& turn : held) turn.emplace(turns);  // none waits
}

TEST_F(ScoringTurnsWithDevices, AreFewWhileDevicesAlign) {
  ScoringTurns turns(kMost, &*devices_);
  turns.aligned();
  {
    const PathDevices::Use use(*devices_);
    EXPECT_LE(most_at_a_time(turns), 4U);
  }
  EXPECT_LE(most_at_a_time(turns), kMost);
  std::vector<std::optional<ScoringTurns::Turn>> held(kMost);
  for (auto& turn : held) turn.emplace(turns);  // none waits
}

TEST_F(ScoringTurnsWithDevices, AreMoreForEachOfSeveral) {
  EXPECT_EQ(devices_->count(), 1U);
  EXPECT_EQ(devices_->scored_beside(), 4U);
  const std::vector<const OpenDevice*> lent = {&*open_, &*open_};
  const PathDevices two(lent, Verification(), [](const std::string&) {});
  EXPECT_EQ(two.count(), 2U);
  EXPECT_EQ(two.scored_beside(), 16U);
}

TEST(ScoringTurnsWithoutDevices, AreAsManyAsTheEnginesTake) {
  ScoringTurns turns(3, nullptr);
  std::vector<std::optional<ScoringTurns::Turn>> held(3);
  for (auto& turn : held) turn.emplace(turns);
  held.clear();
  EXPECT_LE(most_at_a_time(turns), 3U);
}

}  // namespace
}  // namespace gpuhmm
