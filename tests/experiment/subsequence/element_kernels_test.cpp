// The published kernels on an OpenCL device against the sequential program. The machine that runs the tests
// must have an OpenCL device.
#include "experiment/subsequence/element_kernels.hpp"

#include <gtest/gtest.h>

#include "experiment/subsequence/random_values.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm::experiment {
namespace {

using Memory = ElementLaunch::Memory;
using Pace = ElementLaunch::Pace;

// Opened once for all tests: programs are kept.
ElementKernels& kernels() {
  static ElementKernels opened(list_devices().at(0));
  return opened;
}

TEST(ElementKernels, GiveTheSequentialTable) {
  for (const auto& values : varied_vectors(131)) {
    for (const std::size_t k : {1, 2, 6, 30}) {
      const ElementSums expected = sums_in_sequence(values, k);
      for (const Memory memory : {Memory::Global, Memory::Local}) {
        for (const Pace pace : {Pace::Waiting, Pace::Queued}) {
          for (const std::size_t group : {1, 32, 64}) {
            const ElementRun run = kernels().run(values, k, {memory, pace, group});
            ASSERT_EQ(run.sums, expected) << "memory " << static_cast<int>(memory) << ", pace "
                                          << static_cast<int>(pace) << ", group " << group << ", K " << k;
            ASSERT_GT(run.seconds, 0);
          }
        }
      }
    }
  }
}

TEST(ElementKernels, SayWhatADeviceLacks) {
  const DeviceInfo device = list_devices().at(0);
  const std::size_t many = device.local_memory;  // lengths: four bytes each are too many
  const std::string local = kernels().obstacle(100, many, {Memory::Local, Pace::Waiting, 64});
  EXPECT_NE(local.find("of local memory; the device has"), std::string::npos) << local;
  EXPECT_EQ(kernels().obstacle(100, 10, {Memory::Local, Pace::Waiting, 64}), "");
  const std::string groups =
      kernels().obstacle(100, 10, {Memory::Global, Pace::Waiting, device.max_work_group + 1});
  EXPECT_NE(groups.find("work-items in a work-group"), std::string::npos) << groups;
  const std::string table = kernels().obstacle(std::size_t{1} << 40, 10, {});
  EXPECT_NE(table.find("bytes in one buffer"), std::string::npos) << table;
}

TEST(ElementKernels, TakeFewerWorkItemsWhereLocalMemoryIsShort) {
  const std::size_t memory = list_devices().at(0).local_memory;
  EXPECT_EQ(kernels().fitting_group(10), 64U);
  const std::size_t k = memory / sizeof(std::int32_t) / 40;
  EXPECT_EQ(kernels().fitting_group(k), 32U);
  EXPECT_EQ(kernels().obstacle(100, k, {Memory::Local, Pace::Queued, 32}), "");
}

}  // namespace
}  // namespace gpuhmm::experiment
