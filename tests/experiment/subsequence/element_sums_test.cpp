// The published recurrence on the host: against today's plain method and against sums by hand.
#include "experiment/subsequence/element_sums.hpp"

#include <gtest/gtest.h>

#include "companion/subsequence/subsequence.hpp"
#include "experiment/subsequence/random_values.hpp"

namespace gpuhmm::experiment {
namespace {

TEST(ElementSums, AreThoseOfTheWorkedExample) {
  const std::vector<std::int32_t> values = {4, 6, 1, 3, 8, 4, 6};
  const ElementSums sums = sums_in_sequence(values, 3);
  const ElementSums expected = {4,      kNoSum, kNoSum, 6,  10, kNoSum, 1, kNoSum, kNoSum, 3, 4,
                                kNoSum, 8,      14,     18, 4,  7,      8, 6,      10,     13};
  EXPECT_EQ(sums, expected);
  EXPECT_EQ(largest_sum(sums, 3), 18);
  EXPECT_EQ(largest_sum(sums_in_sequence(values, 4), 4), 14);
  EXPECT_EQ(largest_sum(sums_in_sequence(values, 5), 5), std::nullopt);
}

TEST(ElementSums, HaveTheLargestSumOfThePlainMethod) {
  for (const auto& values : varied_vectors(201)) {
    for (const std::size_t k : {1, 2, 3, 7, 30}) {
      const SubsequenceQuery query{SubsequenceQuery::Length::Exactly, k, false};
      const Subsequence answer = best_subsequence(std::span<const std::int32_t>(values), query,
                                                  {SubsequenceMethod::Plain, std::nullopt});
      const std::optional<std::int32_t> sum = largest_sum(sums_in_sequence(values, k), k);
      ASSERT_EQ(sum.has_value(), !answer.positions.empty());
      if (sum) {
        ASSERT_EQ(Int128{*sum}, std::get<Int128>(answer.sum));
      }
    }
  }
}

TEST(ElementSums, AreTheSameByThreads) {
  for (const auto& values : varied_vectors(150)) {
    for (const std::size_t k : {1, 2, 5}) {
      const ElementSums expected = sums_in_sequence(values, k);
      for (const unsigned threads : {1U, 2U, 5U}) {
        ASSERT_EQ(sums_by_threads(values, k, threads, Join::Locked), expected) << threads;
        ASSERT_EQ(sums_by_threads(values, k, threads, Join::OwnMaxima), expected) << threads;
      }
    }
  }
}

}  // namespace
}  // namespace gpuhmm::experiment
