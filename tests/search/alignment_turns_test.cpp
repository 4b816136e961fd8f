// Some profiles are aligned at a time, more for each device, and the threads are shared among them.
#include "search/alignment_turns.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "align/path_cases.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm {
namespace {

using Turns = std::deque<AlignmentTurns::Turn>;

// Devices that align; all of them are one.
struct Devices {
  explicit Devices(std::size_t count)
      : sources(kernel_sources()),
        device(test::path_device(), sources),
        lent(
            std::vector<const OpenDevice*>(count, &device), Verification(), [](const std::string&) {},
            variant()) {}

  static grid::PathVariant variant() {
    grid::PathVariant variant;
    variant.streams = 4;
    return variant;
  }

  KernelSources sources;
  OpenDevice device;
  PathDevices lent;
};

// Whether a thread gets a turn while others are held; ends one of those.
bool gets_one_beside(AlignmentTurns& turns, Turns& held) {
  std::atomic<bool> entered = false;
  const std::jthread thread([&] {
    const AlignmentTurns::Turn turn(turns);
    entered = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const bool got = entered;
  held.pop_front();  // ends the wait
  return got;
}

TEST(AlignmentTurns, AreTwoWithAllThreadsWithoutDevices) {
  AlignmentTurns turns(nullptr, 8, true);
  ASSERT_EQ(turns.profiles(), 6U);
  Turns held;
  EXPECT_EQ(held.emplace_back(turns).threads(), 8U);
  EXPECT_EQ(held.emplace_back(turns).threads(), 8U);
  EXPECT_FALSE(gets_one_beside(turns, held));
  EXPECT_TRUE(gets_one_beside(turns, held));
}

TEST(AlignmentTurns, AreOneIfProfilesAreScoredOneByOne) {
  Devices devices(1);
  AlignmentTurns turns(&devices.lent, 8, false);
  ASSERT_EQ(turns.profiles(), 1U);
  Turns held;
  EXPECT_EQ(held.emplace_back(turns).threads(), 8U);
  EXPECT_FALSE(gets_one_beside(turns, held));
}

TEST(AlignmentTurns, AreSixWithAllThreadsForOneDevice) {
  Devices devices(1);
  AlignmentTurns turns(&devices.lent, 8, true);
  ASSERT_EQ(turns.profiles(), 18U);
  Turns held;
  for (int turn = 0; turn < 6; ++turn) EXPECT_EQ(held.emplace_back(turns).threads(), 8U);
  EXPECT_FALSE(gets_one_beside(turns, held));
}

TEST(AlignmentTurns, AreMoreForEachOfSeveralDevicesAndShareTheThreads) {
  Devices devices(2);
  AlignmentTurns turns(&devices.lent, 8, true);
  ASSERT_EQ(turns.profiles(), 36U);
  Turns held;
  std::vector<unsigned> threads;
  for (int turn = 0; turn < 12; ++turn) threads.push_back(held.emplace_back(turns).threads());
  EXPECT_EQ(threads, std::vector<unsigned>({8, 8, 5, 4, 3, 2, 2, 2, 1, 1, 1, 1}));
  EXPECT_FALSE(gets_one_beside(turns, held));
  held.clear();
  EXPECT_EQ(AlignmentTurns::Turn(turns).threads(), 8U);
}

TEST(AlignmentTurns, HaveAThreadEach) {
  Devices devices(2);
  AlignmentTurns turns(&devices.lent, 1, true);
  Turns held;
  for (int turn = 0; turn < 12; ++turn) EXPECT_EQ(held.emplace_back(turns).threads(), 1U);
}

}  // namespace
}  // namespace gpuhmm
