// Tests that wrong results of a device for a matrix are refused.
#include <gtest/gtest.h>

#include "companion/submatrix/random_matrices.hpp"
#include "companion/submatrix/reference.hpp"
#include "companion/submatrix/search.hpp"
#include "opencl/wrong_result.hpp"

namespace gpuhmm {
namespace {

// A matrix with positive values in rows 2 to 4 and columns 1 to 3.
Matrix sample() {
  Matrix matrix{8, 6, std::vector<std::int64_t>(48, -3), {}};
  for (std::size_t row = 2; row <= 4; ++row) {
    for (std::size_t column = 1; column <= 3; ++column) matrix.values[matrix.cell(row, column)] = 5;
  }
  return matrix;
}

TEST(CheckedPattern, AcceptsTheRightSumAndTop) {
  const Pattern found = checked_pattern(sample(), {45, 2}, 1, "device");
  EXPECT_EQ(found.sum, 45);
  EXPECT_EQ(found.where, (Rectangle{2, 1, 4, 3}));
  const Matrix nothing{3, 3, std::vector<std::int64_t>(9, -1), {}};
  EXPECT_TRUE(checked_pattern(nothing, {}, 1, "device").empty());
}

TEST(CheckedPattern, RefusesWrongResults) {
  const auto check = [](std::int64_t sum, std::size_t first) {
    checked_pattern(sample(), {sum, first}, 1, "device");
  };
  EXPECT_THROW(check(45, 8), WrongDeviceResult);  // no such row
  EXPECT_THROW(check(45, ~std::size_t{0}), WrongDeviceResult);
  EXPECT_THROW(check(45, 3), WrongDeviceResult);  // no such rectangle begins there
  EXPECT_THROW(check(44, 2), WrongDeviceResult);  // no rectangle has this sum
  EXPECT_THROW(check(-1, 2), WrongDeviceResult);
  EXPECT_THROW(check(0, 0), WrongDeviceResult);  // a row has a larger sum
  EXPECT_THROW(check(5, 2), WrongDeviceResult);
}

}  // namespace
}  // namespace gpuhmm
