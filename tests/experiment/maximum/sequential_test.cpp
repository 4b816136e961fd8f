// S-seq and M-seq against the plain algorithms.
#include "experiment/maximum/sequential.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "companion/submatrix/reference.hpp"

namespace gpuhmm::experiment::maximum {
namespace {

TEST(SequentialSubsequence, FindsTheExampleOfThePublication) {
  const Numbers values{3, 5, 10, -5, -30, 5, 7, 2, -3, 10, -7, 5};
  EXPECT_EQ(sequential_subsequence(values), (Segment<std::int64_t>{5, 10, 21}));
}

TEST(SequentialSubsequence, GivesTheSumOfThePlainAlgorithmAndASegmentThatHasIt) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    Numbers values(random() % 40);
    const int most = round % 3 == 0 ? 1 : round % 3 == 1 ? 9 : 2'000'000'000;
    std::uniform_int_distribution<std::int32_t> value(-most, most);
    for (std::int32_t& v : values) v = value(random);
    const auto found = sequential_subsequence(values);
    ASSERT_EQ(found.score, best_segment<std::int64_t>(std::span<const std::int32_t>(values)).score);
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(found.begin);
    ASSERT_EQ(std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(found.length()), std::int64_t{0}),
              found.score);
  }
}

TEST(SequentialSubmatrix, FindsTheExampleOfThePublication) {
  const Numbers matrix{-10, -10, 20,  -20, -30, 5,  -20, 10, 40,  10, 30,  -40, 20,
                       -10, -15, -20, 4,   -5,  50, 10,  10, -20, 10, -40, 10};
  EXPECT_EQ(sequential_submatrix(matrix, 5, ColumnOrder::RowMajor), 110);
  EXPECT_EQ(sequential_submatrix(matrix, 5, ColumnOrder::Transposed), 110);
}

TEST(SequentialSubmatrix, GivesTheSumOfThePlainAlgorithmInBothOrders) {
  std::mt19937 random(2);
  for (int round = 0; round < 150; ++round) {
    const std::size_t size = 1 + random() % 40;
    const int most = round % 2 == 0 ? 2 : 999;
    std::uniform_int_distribution<std::int32_t> value(-most, round % 5 == 0 ? 0 : most);
    Numbers matrix(size * size);
    for (std::int32_t& v : matrix) v = value(random);
    const auto expected = best_submatrix_reference({size, size, {matrix.begin(), matrix.end()}, {}}).sum;
    ASSERT_EQ(sequential_submatrix(matrix, size, ColumnOrder::RowMajor), expected);
    ASSERT_EQ(sequential_submatrix(matrix, size, ColumnOrder::Transposed), expected);
  }
}

}  // namespace
}  // namespace gpuhmm::experiment::maximum
