// Compares work that threads share in pieces of rows, and matrices copied in pieces, with plain loops.
#include <gtest/gtest.h>

#include <optional>

#include "companion/submatrix/device_walk.hpp"
#include "companion/submatrix/locate.hpp"
#include "companion/submatrix/random_matrices.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {
namespace {

using testing::random_matrix;

// Twice the range of the two-dimensional prefix sums, by a plain loop.
Int128 plain_reach(const Matrix& matrix) {
  std::vector<Int128> above(matrix.columns);
  Int128 low = 0, high = 0;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    Int128 run = 0;
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      run += matrix.open_value(matrix.cell(row, column));
      above[column] += run;
      low = std::min(low, above[column]);
      high = std::max(high, above[column]);
    }
  }
  return 2 * (high - low);
}

TEST(SumBounds, DoNotDependOnThePieces) {
  std::mt19937_64 random(31);
  const std::vector<std::pair<std::size_t, std::size_t>> sizes{
      {2000, 600}, {40, 20'000}, {20'000, 40}, {5, 7}};
  for (const auto& [rows, columns] : sizes) {
    for (const std::int64_t most : {std::int64_t{9}, std::int64_t{1} << 62}) {
      Matrix matrix = random_matrix(random, rows, columns, -most, most);
      for (int barred = 0; barred < 2; ++barred) {
        const SumBounds one = sum_bounds(matrix, 1), three = sum_bounds(matrix, 3);
        EXPECT_EQ(one.reach, plain_reach(matrix)) << rows << " x " << columns;
        EXPECT_EQ(three.reach, one.reach) << rows << " x " << columns;
        EXPECT_EQ(three.ranges, one.ranges) << rows << " x " << columns;
        testing::bar_some(random, matrix, 0.01);
      }
    }
  }
}

// Columns with the same sum, at all positions relative to the pieces; a barred cell cuts some of them.
TEST(LocateRectangle, DoesNotDependOnThePieces) {
  constexpr std::size_t kRows = 1500, kColumns = 700;
  std::mt19937_64 random(32);
  for (int round = 0; round < 12; ++round) {
    Matrix matrix{kRows, kColumns, std::vector<std::int64_t>(kRows * kColumns, 0), {}};
    const std::size_t top = random() % 40;
    for (std::size_t i = 0; i < top * kColumns; ++i) matrix.values[i] = -1;
    // Columns that begin at the top and reach the sum, each in another row; no others reach it.
    Rectangle expected{top, kColumns, 0, 0};
    for (std::size_t column = 1; column + 1 < kColumns; column += 2 + random() % 90) {
      const std::size_t reached = top + 1 + random() % (kRows - top - 1);
      matrix.values[matrix.cell(top, column)] = 3;
      matrix.values[matrix.cell(reached, column)] = 4;
      matrix.values[matrix.cell(top, column - 1)] = matrix.values[matrix.cell(top, column + 1)] = -9;
      if (round % 2 == 1 && random() % 2 == 0) {
        bar(matrix, {reached - 1, column, reached - 1, column});
        continue;
      }
      if (column < expected.left) expected = {top, column, reached, column};
    }
    for (const unsigned threads : {1u, 3u}) {
      const Rectangle found = locate_rectangle(matrix, 7, top, threads);
      EXPECT_EQ(found, expected) << found.left << " " << found.bottom << ", expected " << expected.left << " "
                                 << expected.bottom;
    }
  }
  Matrix negative{20, 3, std::vector<std::int64_t>(60, -1), {}};
  EXPECT_THROW(locate_rectangle(negative, 7, 0, 2), std::logic_error);
}

// More rows than are copied at a time, with one plane and two, straight and transposed.
TEST(DeviceWalks, RowsArriveInPieces) {
  std::mt19937_64 random(33);
  const std::vector<DeviceInfo> present = list_devices();
  ASSERT_FALSE(present.empty()) << "no OpenCL device: is PoCL installed?";
  std::vector<std::unique_ptr<DeviceWalker>> devices;
  devices.push_back(std::make_unique<DeviceWalker>(present.front()));
  for (const bool wider : {false, true}) {
    constexpr std::size_t kShort = 40, kLong = 130'000;
    Matrix matrix = random_matrix(random, wider ? kShort : kLong, wider ? kLong : kShort, -9, 9);
    for (int barred = 0; barred < 2; ++barred) {
      const SumBounds bounds = sum_bounds(matrix, 2);
      const WalkResult expected = walk_on_host<std::int32_t>(matrix, bounds, 2, {});
      const WalkResult found = walk_on_devices<std::int32_t>(matrix, bounds, devices, 2, {});
      EXPECT_EQ(found.sum, expected.sum) << wider << barred;
      EXPECT_EQ(found.first, expected.first) << wider << barred;
      bar(matrix, {1, 1, 30, 3});
    }
  }
}

}  // namespace
}  // namespace gpuhmm
