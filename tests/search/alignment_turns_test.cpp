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

// `threads`: those of each turn that is to be had at a time.
void expect_turns(AlignmentTurns& turns, const std::vector<unsigned>& threads) {
  Turns held;
  std::vector<unsigned> got;
  for (std::size_t turn = 0; turn < threads.size(); ++turn) got.push_back(held.emplace_back(turns).threads());
  EXPECT_EQ(got, threads);
  EXPECT_FALSE(gets_one_beside(turns, held));
  EXPECT_TRUE(gets_one_beside(turns, held));
}

TEST(AlignmentTurns, AreTwoWithAllThreadsWithoutDevices) {
  AlignmentTurns turns(nullptr, 8, true);
  ASSERT_EQ(turns.profiles(), 6U);
  expect_turns(turns, {8, 8});
}

TEST(AlignmentTurns, AreOneIfProfilesAreScoredOneByOne) {
  Devices devices(1);
  AlignmentTurns turns(&devices.lent, 8, false);
  ASSERT_EQ(turns.profiles(), 1U);
  EXPECT_EQ(AlignmentTurns::Turn(turns).threads(), 8U);
}

TEST(AlignmentTurns, AreSixWithAllThreadsForOneDevice) {
  Devices devices(1);
  AlignmentTurns turns(&devices.lent, 8, true);
  ASSERT_EQ(turns.profiles(), 18U);
  expect_turns(turns, std::vector<unsigned>(6, 8));
}

TEST(AlignmentTurns, AreMoreForEachOfSeveralDevicesAndShareTheThreads) {
  Devices devices(2);
  AlignmentTurns turns(&devices.lent, 8, true);
  ASSERT_EQ(turns.profiles(), 36U);
  expect_turns(turns, {8, 8, 5, 4, 3, 2, 2, 2, 1, 1, 1, 1});
  EXPECT_EQ(AlignmentTurns::Turn(turns).threads(), 8U);
}

TEST(AlignmentTurns, HaveAThreadEach) {
  Devices devices(2);
  AlignmentTurns turns(&devices.lent, 1, true);
  expect_turns(turns, std::vector<unsigned>(12, 1));
}

}  // namespace
}  // namespace gpuhmm
