// Compares the OpenCL kernel, in several shapes, with the host.
#include "companion/submatrix/device_walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "companion/submatrix/random_matrices.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

namespace {

using testing::random_matrix;
using Walkers = std::vector<std::unique_ptr<DeviceWalker>>;

Walkers walkers(std::size_t count) {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw std::runtime_error("no OpenCL device: is PoCL installed?");
  Walkers result;
  while (result.size() < count) result.push_back(std::make_unique<DeviceWalker>(devices.front()));
  return result;
}

template <class T>
void expect_host(const Matrix& matrix, const Walkers& devices, const WalkTile& shape) {
  const SumBounds bounds = sum_bounds(matrix, 1);
  ASSERT_TRUE(sums_fit<T>(bounds));
  const WalkResult expected = walk_on_host<T>(matrix, bounds, 1, {});
  const WalkResult found = walk_on_devices<T>(matrix, bounds, devices, 1, {}, &shape);
  ASSERT_EQ(found.sum, expected.sum) << matrix.rows << " x " << matrix.columns;
  ASSERT_EQ(found.first, expected.first) << matrix.rows << " x " << matrix.columns;
}

void expect_host(const Matrix& matrix, const Walkers& devices, const WalkTile& shape) {
  ASSERT_NO_FATAL_FAILURE(expect_host<std::int32_t>(matrix, devices, shape));
  ASSERT_NO_FATAL_FAILURE(expect_host<std::int64_t>(matrix, devices, shape));
}

class DeviceWalk : public ::testing::TestWithParam<WalkTile> {};

// The shapes for GPUs, with smaller work-groups where theirs have more lines than a quick test, and the one
// for CPUs.
INSTANTIATE_TEST_SUITE_P(Shapes, DeviceWalk,
                         ::testing::Values(WalkTile{4, 16, 1, 1, false, false},
                                           WalkTile{8, 8, 2, 4, true, false},
                                           WalkTile{4, 4, 2, 32, true, true},
                                           WalkTile{2, 2, 2, 16, false, false}),
                         [](const auto& test) {
                           const WalkTile& shape = test.param;
                           return std::to_string(shape.item_g) + "x" + std::to_string(shape.item_h) + "in" +
                                  std::to_string(shape.group_g) + "x" + std::to_string(shape.group_h);
                         });

TEST_P(DeviceWalk, EqualsTheHostAroundTheBordersOfTiles) {
  const WalkTile& shape = GetParam();
  const Walkers devices = walkers(1);
  std::mt19937_64 random(11);
  std::set<std::size_t> sizes{1, 5, 37};
  for (const std::size_t lines : {shape.lines_g(), shape.lines_h()}) {
    if (lines <= 128) sizes.insert({lines - 1, lines, lines + 1});
  }
  for (const std::size_t rows : sizes) {
    for (const std::size_t columns : sizes) {
      if (rows * columns == 0) continue;
      Matrix matrix = random_matrix(random, rows, columns, -10, 8);
      ASSERT_NO_FATAL_FAILURE(expect_host(matrix, devices, shape));
      testing::bar_some(random, matrix, 0.03);
      ASSERT_NO_FATAL_FAILURE(expect_host(matrix, devices, shape));
    }
  }
}

TEST_P(DeviceWalk, TiesAreEverywhere) {
  const Walkers devices = walkers(1);
  std::mt19937_64 random(12);
  for (int i = 0; i < 6; ++i) {
    const Matrix matrix = testing::island_matrix(random, 2 + random() % 90, 2 + random() % 90);
    ASSERT_NO_FATAL_FAILURE(expect_host(matrix, devices, GetParam()));
  }
}

TEST(DeviceWalks, AllOfOneSign) {
  const Walkers devices = walkers(1);
  const WalkTile shape = choose_walk_tile(devices.front()->info(), 50);
  std::mt19937_64 random(13);
  for (const auto& [low, high] : {std::pair{1, 9}, std::pair{-9, -1}, std::pair{0, 0}}) {
    ASSERT_NO_FATAL_FAILURE(expect_host(random_matrix(random, 50, 41, low, high), devices, shape));
  }
}

TEST(DeviceWalks, SeveralDevicesShareTheTiles) {
  const Walkers devices = walkers(2);
  const WalkTile shape{8, 8, 1, 2, false, false};
  std::mt19937_64 random(14);
  for (int i = 0; i < 3; ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_host(random_matrix(random, 200, 190 + i * 20, -3, 3), devices, shape));
  }
  EXPECT_GT(devices[0]->kernel_seconds(), 0);
  EXPECT_GT(devices[1]->kernel_seconds(), 0);
}

TEST(DeviceWalks, SearchTakesDevices) {
  std::mt19937_64 random(15);
  const Matrix matrix = random_matrix(random, 60, 70, -10, 9);
  const Pattern expected = testing::best_on_host(matrix);
  SubmatrixOptions options;
  options.devices = walkers(1);
  double part = 0;
  options.done = [&](double done) { part = done; };
  EXPECT_EQ(best_submatrix(matrix, options), expected);
  EXPECT_EQ(part, 1);
  EXPECT_EQ(options.devices.size(), 1U);
  EXPECT_GT(options.devices.front()->kernel_seconds(), 0);
}

// Fails on every device, because none has work-groups of 65,536 work-items.
TEST(DeviceWalks, TheHostRepeatsTheWorkOfADeviceThatFails) {
  std::mt19937_64 random(16);
  const Matrix matrix = random_matrix(random, 60, 70, -10, 9);
  const WalkTile impossible{4, 4, 1, 1 << 16, false, false};
  const Walkers devices = walkers(1);
  EXPECT_THROW(walk_on_devices<std::int32_t>(matrix, sum_bounds(matrix, 1), devices, 1, {}, &impossible),
               EngineFailure);
  SubmatrixOptions options;
  options.devices = walkers(1);
  options.shape = impossible;
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  EXPECT_EQ(best_submatrix(matrix, options), testing::best_on_host(matrix));
  EXPECT_TRUE(options.devices.empty());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("going on with the host"), std::string::npos);
}

TEST(DeviceWalks, TilesHoldEveryPairOnce) {
  const WalkTile shape{2, 4, 3, 2, false, false};
  for (const std::size_t lines : {1, 7, 8, 9, 24, 25}) {
    std::vector<int> seen(lines * lines);
    for (const DeviceWalker::Tile& tile : walk_tiles(shape, lines)) {
      for (std::size_t g = tile.g; g < std::min<std::size_t>(lines, tile.g + shape.lines_g()); ++g) {
        for (std::size_t h = tile.h; h < std::min<std::size_t>(lines, tile.h + shape.lines_h()); ++h) {
          ++seen[g * lines + h];
        }
      }
    }
    for (std::size_t g = 0; g < lines; ++g) {
      for (std::size_t h = g; h < lines; ++h) EXPECT_EQ(seen[g * lines + h], 1) << g << ", " << h;
    }
  }
}

TEST(OpenWalkers, ByName) {
  const auto warn = [](const std::string&) {};
  EXPECT_TRUE(open_walkers("none", 1e15, 1, warn).empty());
  EXPECT_TRUE(open_walkers("auto", 1, 1, warn).empty());
  EXPECT_EQ(open_walkers("0", 1, 1, warn).size(), 1U);
  EXPECT_EQ(open_walkers("0,0", 1, 1, warn).size(), 2U);
  EXPECT_THROW(open_walkers("nosuchdevice", 1, 1, warn), DeviceError);
  EXPECT_THROW(open_walkers("none,0", 1, 1, warn), DeviceError);
}

}  // namespace
}  // namespace gpuhmm
