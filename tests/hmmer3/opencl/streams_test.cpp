// Sizes of the buffers for cells of the domain stage.
#include "hmmer3/opencl/streams.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <set>

namespace gpuhmm::hmmer3 {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

DeviceInfo gpu(std::size_t memory_mib) {
  DeviceInfo info;
  info.type = DeviceType::Gpu;
  info.memory = memory_mib * kMiB;
  info.max_allocation = info.memory / 4;
  return info;
}

TEST(CellBuffers, HaveAnEighthOfTheMemoryTogether) {
  EXPECT_EQ(most_cell_bytes(gpu(80'000)), 1024 * kMiB);
  EXPECT_EQ(most_cell_bytes(gpu(8192)), 128 * kMiB);
  EXPECT_EQ(most_cell_bytes(gpu(8000)), 64 * kMiB);
  DeviceInfo narrow = gpu(80'000);
  narrow.max_allocation = 300 * kMiB;
  EXPECT_EQ(most_cell_bytes(narrow), 256 * kMiB);
}

TEST(CellBuffers, GrowToTheMostAtOnceOnceTheyAreLarge) {
  const DeviceInfo device = gpu(8192);
  EXPECT_EQ(cell_buffer_bytes(device, 1), 1U);
  EXPECT_EQ(cell_buffer_bytes(device, 5), 8U);
  EXPECT_EQ(cell_buffer_bytes(device, 16 * kMiB), 16 * kMiB);
  EXPECT_EQ(cell_buffer_bytes(device, 16 * kMiB + 1), 128 * kMiB);
  EXPECT_EQ(cell_buffer_bytes(device, 128 * kMiB), 128 * kMiB);
  EXPECT_EQ(cell_buffer_bytes(device, 200 * kMiB), 200 * kMiB);  // a pair that needs more than a launch has
  // Those that are outgrown.
  std::set<std::size_t> sizes;
  for (std::size_t bytes = 1; bytes <= 128 * kMiB; bytes *= 2) sizes.insert(cell_buffer_bytes(device, bytes));
  EXPECT_EQ(*sizes.rbegin(), 128 * kMiB);
  sizes.erase(128 * kMiB);
  EXPECT_LT(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), 128 * kMiB / 4);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
