// The ladder of reductions on an OpenCL device against the plain reference. The machine that runs the tests
// must have an OpenCL device.
#include "experiment/reduce/ladder_kernels.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "experiment/experiment.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm::experiment {
namespace {

using Launches = LadderShape::Launches;

// Opened once for all tests: programs are kept.
LadderKernels& kernels() {
  static LadderKernels opened(list_devices().at(0));
  return opened;
}

std::vector<std::vector<std::int32_t>> stacks_of(std::size_t count) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::vector<std::vector<std::int32_t>> stacks = {random_stack(count, 7)};
  stacks.emplace_back(count * kPositions, Limits::max());
  stacks.emplace_back(count * kPositions, Limits::min());
  // The minimum of each position in another matrix, the last one among them; the others equal.
  std::vector<std::int32_t>& last = stacks.emplace_back(count * kPositions, 5);
  for (std::size_t p = 0; p < kPositions; ++p)
    last[(count - 1 - p % count) * kPositions + p] = -static_cast<std::int32_t>(p);
  return stacks;
}

TEST(LadderKernels, GiveTheMinimaOfTheReference) {
  for (const std::size_t count : {1, 2, 31, 64, 65, 1000, 4099}) {
    for (const auto& stack : stacks_of(count)) {
      const ExpectedMinima expected(stack);
      const std::vector<std::int32_t> arrays = arrays_of(stack);
      for (const Rung rung : kRungs) {
        for (const std::size_t group : {1, 32, 256, 1024}) {
          if (group > list_devices().at(0).max_work_group) continue;
          ASSERT_NO_THROW(expected.check(rung_name(rung), kernels().run(arrays, {rung, group}).minima))
              << group << " work-items";
        }
      }
    }
  }
}

TEST(LadderKernels, GiveTheSameInOneLaunchAndWithASecondPass) {
  for (const std::size_t count : {1, 300, 4099, 70'001}) {
    for (const auto& stack : stacks_of(count)) {
      const ExpectedMinima expected(stack);
      const std::vector<std::int32_t> arrays = arrays_of(stack);
      for (const Rung rung : kRungs) {
        for (const Launches launches : {Launches::One, Launches::SecondPass}) {
          const LadderRun run = kernels().run(arrays, {rung, 64, launches});
          ASSERT_NO_THROW(expected.check(rung_name(rung), run.minima));
          ASSERT_GT(run.kernels, 0);
          ASSERT_GT(run.all, 0);
        }
      }
      ASSERT_NO_THROW(expected.check("today's reduce", kernels().run_todays(stack).minima));
    }
  }
}

TEST(LadderKernels, SayWhatADeviceLacks) {
  const DeviceInfo device = list_devices().at(0);
  EXPECT_EQ(kernels().obstacle(1000, {}), "");
  EXPECT_NE(kernels()
                .obstacle(1000, {Rung::Unrolled, device.max_work_group * 2})
                .find("work-items in a work-group"),
            std::string::npos);
  EXPECT_NE(kernels().obstacle(std::size_t{1} << 40, {}).find("bytes in one buffer"), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm::experiment
