// Compares the fast search on the host with the plain one.
#include "companion/submatrix/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "companion/submatrix/random_matrices.hpp"
#include "companion/submatrix/reference.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm {
namespace {

using testing::best_on_host;
using testing::matrix_of;
using testing::random_matrix;

// Searches with 32 bits, and with 64 bits by multiplying the values by a large number.
void expect_reference(const Matrix& matrix) {
  const Pattern expected = best_submatrix_reference(matrix);
  for (const unsigned threads : {1U, 3U}) {
    ASSERT_EQ(best_on_host(matrix, threads), expected) << matrix.rows << " x " << matrix.columns;
  }
  constexpr std::int64_t kFactor = std::int64_t{1} << 33;
  Matrix large = matrix;
  for (std::int64_t& value : large.values) value *= kFactor;
  ASSERT_FALSE(sums_fit<std::int32_t>(sum_bounds(large, 1)) && !expected.empty());
  ASSERT_EQ(best_on_host(large, 1), (Pattern{expected.sum * kFactor, expected.where}));
}

// Tests that run once with every instruction set of this machine.
class EveryInstructionSet : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { simd::use_instruction_set(GetParam()); }
  void TearDown() override { simd::use_instruction_set(""); }
};

INSTANTIATE_TEST_SUITE_P(SubmatrixSearch, EveryInstructionSet, ::testing::ValuesIn(simd::instruction_sets()),
                         [](const auto& set) { return set.param; });

TEST_P(EveryInstructionSet, EqualsTheReferenceAroundTheBordersOfTiles) {
  std::mt19937_64 random(2);
  const std::size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 37, 64, 65};
  for (const std::size_t rows : sizes) {
    for (const std::size_t columns : sizes) {
      const std::int64_t size = (rows + columns) % 3 == 0 ? 1 : 20;
      const std::int64_t drift = size == 1 ? 0 : -static_cast<std::int64_t>(random() % 5);
      Matrix matrix = random_matrix(random, rows, columns, -size + drift, size + drift);
      ASSERT_NO_FATAL_FAILURE(expect_reference(matrix));
      testing::bar_some(random, matrix, 0.05);
      ASSERT_NO_FATAL_FAILURE(expect_reference(matrix));
    }
  }
}

TEST_P(EveryInstructionSet, AllOfOneSign) {
  std::mt19937_64 random(3);
  for (const auto& [low, high] : {std::pair{1, 9}, std::pair{-9, -1}, std::pair{0, 0}}) {
    ASSERT_NO_FATAL_FAILURE(expect_reference(random_matrix(random, 40, 23, low, high)));
    ASSERT_NO_FATAL_FAILURE(expect_reference(random_matrix(random, 23, 40, low, high)));
  }
}

TEST_P(EveryInstructionSet, TiesAreEverywhere) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 60; ++i) {
    const std::size_t rows = 2 + random() % 50;
    const std::size_t columns = 2 + random() % 50;
    Matrix matrix = i % 2 == 0 ? testing::island_matrix(random, rows, columns)
                               : random_matrix(random, rows, columns, -1, i % 4 / 2);
    if (i % 3 == 0) testing::bar_some(random, matrix, 0.02);
    ASSERT_NO_FATAL_FAILURE(expect_reference(matrix));
  }
}

TEST(SubmatrixSearch, TheExampleOfTheDissertation) {
  const Matrix matrix = matrix_of(5, 5, {-10, -10, 20,  -20, -30, 5,  -20, 10, 40,  10, 30,  -40, 20,
                                         -10, -15, -20, 4,   -5,  50, 10,  10, -20, 10, -40, 10});
  EXPECT_EQ(best_on_host(matrix, 1), (Pattern{110, {1, 2, 3, 4}}));
}

// The published formula for the columns of pair l, in float, never gives (0, 4096) of 4,097 columns; with a
// square root in double it never gives (0, 0) of 5,793.
TEST(SubmatrixSearch, FindsThePairsThatFloatArithmeticLoses) {
  constexpr std::size_t kSize = 4097;
  const Matrix full{kSize, kSize, std::vector<std::int64_t>(kSize * kSize, 1), {}};
  EXPECT_EQ(best_on_host(full, 2), (Pattern{kSize * kSize, {0, 0, kSize - 1, kSize - 1}}));
  constexpr std::size_t kLarger = 5793;
  Matrix first{kLarger, kLarger, std::vector<std::int64_t>(kLarger * kLarger, -1), {}};
  for (std::size_t row = 0; row < kLarger; ++row) first.values[first.cell(row, 0)] = 1;
  EXPECT_EQ(best_on_host(first, 2), (Pattern{kLarger, {0, 0, kLarger - 1, 0}}));
}

TEST(SubmatrixSearch, ChoosesTheWidthOfIntegersByTheData) {
  constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();
  // With a single cell of value v, prefix sums are from 0 to v, so 2 v must fit.
  const auto bounds = [](std::int64_t value) { return sum_bounds(matrix_of(1, 1, {value}), 1); };
  EXPECT_TRUE(sums_fit<std::int32_t>(bounds(kMost32 / 2)));
  EXPECT_FALSE(sums_fit<std::int32_t>(bounds(kMost32 / 2 + 1)));
  EXPECT_TRUE(sums_fit<std::int64_t>(bounds(kMost32 / 2 + 1)));
  EXPECT_TRUE(sums_fit<std::int64_t>(bounds(std::numeric_limits<std::int64_t>::max() / 2)));
  EXPECT_FALSE(sums_fit<std::int64_t>(bounds(std::numeric_limits<std::int64_t>::max() / 2 + 1)));
  // Each barred range in a row divides the largest value that fits.
  Matrix barred = matrix_of(1, 3, {kMost32 / 4, 0, 0});
  EXPECT_TRUE(sums_fit<std::int32_t>(sum_bounds(barred, 1)));
  bar(barred, {0, 1, 0, 1});
  EXPECT_TRUE(sums_fit<std::int32_t>(sum_bounds(barred, 1)));
  barred.values[0] += 1;
  EXPECT_FALSE(sums_fit<std::int32_t>(sum_bounds(barred, 1)));
}

TEST(SubmatrixSearch, RightOnBothSidesOfTheBounds) {
  std::mt19937_64 random(5);
  for (const std::int64_t most :
       {std::int64_t{std::numeric_limits<std::int32_t>::max()}, std::numeric_limits<std::int64_t>::max()}) {
    int narrow = 0;
    int wide = 0;
    for (int i = 0; i < 100; ++i) {
      // Sums of 8 x 8 random values are a few times the largest value.
      const std::int64_t size = most / (4 + static_cast<std::int64_t>(random() % 60));
      Matrix matrix = random_matrix(random, 8, 8, -size, size);
      if (i % 2 == 0) testing::bar_some(random, matrix, 0.03);
      const SumBounds bounds = sum_bounds(matrix, 1);
      const bool fits = most > std::numeric_limits<std::int32_t>::max() ? sums_fit<std::int64_t>(bounds)
                                                                        : sums_fit<std::int32_t>(bounds);
      ++(fits ? narrow : wide);
      ASSERT_EQ(best_on_host(matrix, 1), best_submatrix_reference(matrix));
    }
    EXPECT_GT(narrow, 5);
    EXPECT_GT(wide, 5);
  }
}

TEST(SubmatrixSearch, ExtremesOf64Bits) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 50; ++i) {
    const Matrix matrix = testing::extreme_matrix(random);
    ASSERT_EQ(best_on_host(matrix, 1), best_submatrix_reference(matrix));
  }
}

TEST(SubmatrixSearch, EachFurtherRectangleIsTheBestOfTheRest) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20; ++i) {
    const Matrix matrix = random_matrix(random, 9, 12, -5, 4);
    SubmatrixOptions options;
    const std::vector<Pattern> found = top_submatrices(matrix, {.most = 6}, options);
    Matrix rest = matrix;
    for (std::size_t n = 0; n < found.size(); ++n) {
      ASSERT_EQ(found[n], testing::brute_force(rest)) << n;
      bar(rest, found[n].where);
    }
    if (found.size() < 6) {
      EXPECT_TRUE(testing::brute_force(rest).empty());
    }
  }
}

TEST(SubmatrixSearch, ReportsProgressOverSeveralRectangles) {
  std::mt19937_64 random(9);
  std::vector<double> reported;
  SubmatrixOptions options;
  options.done = [&](double part) { reported.push_back(part); };
  ASSERT_EQ(top_submatrices(random_matrix(random, 40, 40, -5, 5), {.most = 3}, options).size(), 3U);
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_LT(reported.front(), 0.4);
  EXPECT_EQ(reported.back(), 1.0);
}

TEST(SubmatrixSearch, ReportsProgress) {
  std::mt19937_64 random(8);
  std::vector<double> reported;
  SubmatrixOptions options;
  options.threads = 2;
  options.done = [&](double part) { reported.push_back(part); };
  best_submatrix(random_matrix(random, 70, 70, -5, 5), options);
  ASSERT_FALSE(reported.empty());
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_EQ(reported.back(), 1.0);
}

}  // namespace
}  // namespace gpuhmm
