// The tables of the experiment and their data.
#include "experiment/subsequence/subsequence_experiment.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "experiment/subsequence/subsequence_cases.hpp"

namespace gpuhmm::experiment {
namespace {

TEST(SubsequenceExperiment, HasBothFiguresAndTablesOfThreadsAndGroups) {
  std::vector<std::string> ids;
  for (const TableSource& table : subsequence_experiment().tables) ids.push_back(table.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"figure-1", "figure-2", "threads", "groups"}));
}

TEST(SubsequenceExperiment, DrawsValuesFromOneToAMillion) {
  const std::vector<std::int32_t> values = subsequence_data(100'000, 3);
  ASSERT_EQ(values.size(), 100'000U);
  const auto [low, high] = std::ranges::minmax(values);
  EXPECT_GE(low, 1);
  EXPECT_LT(low, 100);
  EXPECT_LE(high, 1'000'000);
  EXPECT_GT(high, 999'900);
  EXPECT_EQ(values, subsequence_data(100'000, 3));
  EXPECT_NE(values, subsequence_data(100'000, 4));
}

TEST(SubsequenceExperiment, GivesReasonsWithoutADevice) {
  Request request;
  request.runs = 1;
  SubsequenceMethods methods(request);
  const SubsequenceCase input(subsequence_data(300, 1), 4, 2);
  EXPECT_EQ(methods.by_elements(input, {}).text(), "no OpenCL device");
  EXPECT_EQ(methods.on_device(input, DeviceLevelMethod::Levels).text(), "no OpenCL device");
  EXPECT_TRUE(methods.in_sequence(input).spread());
  EXPECT_TRUE(methods.by_threads(input, 2, Join::OwnMaxima).spread());
}

TEST(SubsequenceExperiment, ThrowsAtAnotherSumThanThatOfTheReference) {
  const SubsequenceCase input({4, 6, 1, 3, 8, 4, 6}, 3, 1);
  EXPECT_NO_THROW(input.check("right", 18));
  EXPECT_NO_THROW(input.check("right", std::vector<std::size_t>{0, 1, 4}));
  EXPECT_THROW(input.check("wrong", 17), WrongResult);
  EXPECT_THROW(input.check("none", std::nullopt), WrongResult);
  EXPECT_THROW(input.check("wrong", std::vector<std::size_t>{0, 1, 5}), WrongResult);
}

}  // namespace
}  // namespace gpuhmm::experiment
