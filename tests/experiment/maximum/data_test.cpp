// The data sets and the published figures.
#include "experiment/maximum/data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiment/maximum/published.hpp"

namespace gpuhmm::experiment::maximum {
namespace {

TEST(SubsequenceData, AreUniformWithZeroTwiceAsLikely) {
  constexpr std::size_t kSize = 4'000'000;
  std::map<std::int32_t, std::size_t> counts;
  for (const std::int32_t v : subsequence_data(DataSet::Random, kSize, 1, 1, 2)) ++counts[v];
  ASSERT_GE(counts.begin()->first, -1000);
  ASSERT_LE(counts[-1000], 2U);
  ASSERT_EQ(counts.rbegin()->first, 999);
  // 2,000 a value, 4,000 of 0; six standard deviations.
  for (std::int32_t v = -999; v <= 999; ++v) {
    const double expected = v == 0 ? 4000 : 2000;
    ASSERT_NEAR(static_cast<double>(counts[v]), expected, 6 * std::sqrt(expected)) << v;
  }
}

TEST(SubsequenceData, DependOnTheSeedAndNotOnSizeOrThreads) {
  const Numbers one = subsequence_data(DataSet::Random, 700'000, 1, 5, 1);
  const Numbers more = subsequence_data(DataSet::Random, 900'001, 1, 5, 3);
  EXPECT_TRUE(std::equal(one.begin(), one.end(), more.begin()));
  EXPECT_NE(one, subsequence_data(DataSet::Random, 700'000, 1, 6, 1));
}

TEST(SubsequenceData, AreOfOneSignWhereTheNameSaysSo) {
  const Numbers positive = subsequence_data(DataSet::Positive, 10'000, 10, 1, 1);
  const Numbers negative = subsequence_data(DataSet::Negative, 10'000, 10, 1, 1);
  EXPECT_EQ(*std::min_element(positive.begin(), positive.end()), 1);
  EXPECT_EQ(*std::max_element(positive.begin(), positive.end()), 999);
  EXPECT_EQ(*std::min_element(negative.begin(), negative.end()), -999);
  EXPECT_EQ(*std::max_element(negative.begin(), negative.end()), -1);
}

// Which branch of the kernel's chain each element takes.
std::vector<int> branches_of(std::span<const std::int32_t> values) {
  std::vector<int> branches;
  std::int64_t best = 0, run = 0;
  bool ends = false;
  for (const std::int64_t x : values) {
    const int branch = ends && x > 0 ? 1 : run + x > best ? 2 : run + x > 0 ? 3 : 4;
    branches.push_back(branch);
    run = branch == 4 ? 0 : run + x;
    best = std::max(best, run);
    ends = branch <= 2;
  }
  return branches;
}

TEST(SubsequenceData, TakeTheSameBranchesInStepAndDifferentOnesOutOfStep) {
  constexpr std::size_t kRun = 100, kItems = 64;
  const Numbers in_step = subsequence_data(DataSet::InStep, kRun * kItems, kRun, 3, 1);
  const Numbers out = subsequence_data(DataSet::OutOfStep, kRun * kItems, kRun, 3, 1);
  const auto run_of = [&](const Numbers& all, std::size_t item) {
    return branches_of(std::span(all).subspan(item * kRun, kRun));
  };
  for (std::size_t item = 1; item < kItems; ++item) ASSERT_EQ(run_of(in_step, item), run_of(in_step, 0));
  for (std::size_t place = 8; place < kRun; ++place) {
    std::set<int> taken;
    for (std::size_t item = 0; item < 4; ++item) taken.insert(run_of(out, item)[place]);
    ASSERT_EQ(taken.size(), 4U) << place;
  }
}

// Branches of the pair (g, h), row by row.
std::vector<int> branches_of_pair(const Numbers& matrix, std::size_t size, std::size_t g, std::size_t h) {
  Numbers column(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t i = g; i <= h; ++i) column[row] += matrix[row * size + i];
  }
  return branches_of(column);
}

TEST(SubmatrixData, TakeTheSameBranchesInStepAndDifferentOnesOutOfStep) {
  constexpr std::size_t kSize = 64;
  const Numbers in_step = submatrix_data(DataSet::InStep, kSize, 3, 1);
  const Numbers out = submatrix_data(DataSet::OutOfStep, kSize, 3, 1);
  for (std::size_t h = 10; h < kSize; ++h) {
    ASSERT_EQ(branches_of_pair(in_step, kSize, 9, h), branches_of_pair(in_step, kSize, 0, 3));
  }
  for (std::size_t row = 8; row < kSize; ++row) {
    std::set<int> taken;
    for (std::size_t h = 20; h < 24; ++h) taken.insert(branches_of_pair(out, kSize, 0, h)[row]);
    ASSERT_EQ(taken.size(), 4U) << row;
  }
}

TEST(PublishedTables, AreComplete) {
  const auto subsequences = published_subsequences();
  ASSERT_EQ(subsequences.size(), 10U);
  EXPECT_EQ(subsequences.front().size, 100'000U);
  EXPECT_EQ(subsequences.back().size, 100'000'000U);
  for (const PublishedSubsequence& row : subsequences) {
    EXPECT_GT(row.sequential, 0);
    EXPECT_GT(row.sequential_deviation, 0);
    for (const PublishedTime& time : row.on_gpus) {
      EXPECT_GT(time.mean, 0);
      EXPECT_GT(time.deviation, 0);
      EXPECT_GT(time.speed_up, 0);
    }
  }
  EXPECT_EQ(subsequences[4].on_gpus[3].speed_up, 146.363);
  const auto submatrices = published_submatrices();
  ASSERT_EQ(submatrices.size(), 10U);
  EXPECT_EQ(submatrices[4].size, 6144U);
  EXPECT_EQ(submatrices[7].size, 12288U);
  EXPECT_EQ(submatrices.back().on_gpus[0].mean, 162.447);
  EXPECT_EQ(submatrices.back().on_gpus[1].speed_up, 584.355);
  for (const PublishedSubmatrix& row : submatrices) {
    for (const PublishedTime& time : row.on_gpus) {
      EXPECT_NEAR(row.sequential / time.mean, time.speed_up, 0.3 * time.speed_up) << row.size;
    }
  }
}

}  // namespace
}  // namespace gpuhmm::experiment::maximum
