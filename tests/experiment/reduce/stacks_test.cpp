// Stacks of matrices and what is expected of them.
#include "experiment/reduce/stacks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {
namespace {

TEST(Stacks, AreSpreadOverAllIntegersAndDifferBySeed) {
  const std::vector<std::int32_t> stack = random_stack(10'000, 1);
  ASSERT_EQ(stack.size(), 90'000U);
  EXPECT_LT(std::ranges::min(stack), -2'147'000'000);
  EXPECT_GT(std::ranges::max(stack), 2'147'000'000);
  const auto negative = std::ranges::count_if(stack, [](std::int32_t value) { return value < 0; });
  EXPECT_NEAR(static_cast<double>(negative), 45'000, 700);
  EXPECT_EQ(stack, random_stack(10'000, 1));
  const std::vector<std::int32_t> other = random_stack(10'000, 2);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < stack.size(); ++i) equal += stack[i] == other[i] ? 1 : 0;
  EXPECT_LT(equal, 3U);
}

TEST(Stacks, BecomeNineArrays) {
  std::vector<std::int32_t> stack(3 * kPositions);
  std::iota(stack.begin(), stack.end(), 0);
  const std::vector<std::int32_t> arrays = arrays_of(stack);
  for (std::size_t p = 0; p < kPositions; ++p) {
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(arrays[p * 3 + i], static_cast<std::int32_t>(i * kPositions + p));
  }
}

TEST(Stacks, HaveTheSequentialMinimaOfTheReference) {
  for (const std::size_t count : {1, 2, 77}) {
    const std::vector<std::int32_t> stack = random_stack(count, 4);
    const ExpectedMinima expected(stack);
    Minima minima = sequential_minima(stack);
    EXPECT_NO_THROW(expected.check("sequential", minima));
    ++minima[8];
    EXPECT_THROW(expected.check("wrong", minima), WrongResult);
  }
}

}  // namespace
}  // namespace gpuhmm::experiment
