// The publication's kernels for the maximum submatrix against the plain algorithms.
#include "experiment/maximum/submatrix_scanner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "companion/segments/segment.hpp"
#include "companion/submatrix/reference.hpp"
#include "experiment/maximum/data.hpp"
#include "experiment/maximum/pocl_device.hpp"

namespace gpuhmm::experiment::maximum {
namespace {

std::vector<PairShape> shapes(unsigned groups, unsigned group) {
  std::vector<PairShape> all;
  for (const bool staged : {false, true}) {
    for (const bool branches : {false, true}) all.push_back({staged, branches, groups, group, 12});
  }
  return all;
}

std::int64_t expected_sum(const Numbers& matrix, std::size_t size) {
  return static_cast<std::int64_t>(
      best_submatrix_reference({size, size, {matrix.begin(), matrix.end()}, {}}).sum);
}

TEST(SubmatrixScanner, EqualsThePlainAlgorithmAtAnySize) {
  SubmatrixScanner scanner(test_device());
  std::mt19937 random(5);
  for (const std::size_t size : {1, 2, 3, 11, 12, 13, 23, 25, 64, 77}) {
    for (const auto& [low, high] :
         {std::pair{-1, 1}, std::pair{-999, 999}, std::pair{-5, 0}, std::pair{0, 5}}) {
      Numbers matrix(size * size);
      std::uniform_int_distribution<std::int32_t> value(low, high);
      for (std::int32_t& v : matrix) v = value(random);
      const std::int64_t expected = expected_sum(matrix, size);
      for (const PairShape& shape : shapes(3, 32)) {
        scanner.load(matrix, size);
        ASSERT_EQ(scanner.largest(shape, 0, pair_count(size)), expected) << shape.name() << ", " << size;
      }
    }
  }
}

TEST(SubmatrixScanner, EqualsThePlainAlgorithmOnEachDataSet) {
  SubmatrixScanner scanner(test_device());
  constexpr std::size_t kSize = 150;
  for (const DataSet set : kDataSets) {
    const Numbers matrix = submatrix_data(set, kSize, 8, 2);
    const std::int64_t expected = expected_sum(matrix, kSize);
    for (const PairShape& shape : shapes(16, 1024)) {
      scanner.load(matrix, kSize);
      ASSERT_EQ(scanner.largest(shape, 0, pair_count(kSize)), expected)
          << shape.name() << ", " << data_set_name(set);
    }
  }
}

TEST(SubmatrixScanner, TakesSumsUpToTheEndOf32Bits) {
  SubmatrixScanner scanner(test_device());
  constexpr std::size_t kSize = 40;
  const Numbers matrix(kSize * kSize, 2'147'483'647 / 1600);
  for (const PairShape& shape : shapes(2, 64)) {
    scanner.load(matrix, kSize);
    ASSERT_EQ(scanner.largest(shape, 0, pair_count(kSize)), expected_sum(matrix, kSize));
  }
}

// The root in the formula for g needs more than the 24 bits of a float here.
TEST(SubmatrixScanner, FindsTheColumnsOfPairsWhereARowOfPairsEnds) {
  constexpr std::size_t kSize = 6144;
  const Numbers matrix = submatrix_data(DataSet::Random, kSize, 9, 2);
  SubmatrixScanner scanner(test_device());
  std::size_t first = 0;
  for (std::size_t g = 0; g < kSize; first += kSize - g, ++g) {
    if (g != 2 && g != 7 && g != 3000) continue;
    // The last pair of g - 1 is (g - 1, size - 1), the first of g is (g, g).
    Numbers single(kSize), wide(kSize);
    for (std::size_t row = 0; row < kSize; ++row) {
      single[row] = matrix[row * kSize + g];
      for (std::size_t column = g - 1; column < kSize; ++column) wide[row] += matrix[row * kSize + column];
    }
    const auto best = [](const Numbers& column) {
      return best_segment<std::int64_t>(std::span<const std::int32_t>(column)).score;
    };
    scanner.load(matrix, kSize);
    ASSERT_EQ(scanner.largest({.groups = 1, .group = 64}, first - 1, first), best(wide)) << g;
    scanner.load(matrix, kSize);
    ASSERT_EQ(scanner.largest({.groups = 1, .group = 64}, first, first + 1), best(single)) << g;
  }
}

TEST(SubmatrixScanner, GivesTheLargestOfPartsThatAreSearchedApart) {
  constexpr std::size_t kSize = 60;
  const Numbers matrix = submatrix_data(DataSet::Random, kSize, 10, 1);
  SubmatrixScanner scanner(test_device());
  std::int32_t largest = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    scanner.load(matrix, kSize);
    const std::size_t pairs = pair_count(kSize);
    largest = std::max(largest, scanner.largest({}, pairs * part / 3, pairs * (part + 1) / 3));
  }
  EXPECT_EQ(largest, expected_sum(matrix, kSize));
}

}  // namespace
}  // namespace gpuhmm::experiment::maximum
