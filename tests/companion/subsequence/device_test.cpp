// Compares levels on an OpenCL device with the host. Needs an OpenCL device, such as PoCL.
#include "gpuhmm/device.hpp"

#include <gtest/gtest.h>

#include "companion/subsequence/device_levels.hpp"
#include "companion/subsequence/random_vectors.hpp"

namespace gpuhmm {
namespace {

using Length = SubsequenceQuery::Length;
using testing::random_vector;

DeviceInfo first_device() {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw std::runtime_error("no OpenCL device: is PoCL installed?");
  return devices.front();
}

constexpr SubsequenceMethod kDeviceMethods[] = {SubsequenceMethod::Elements, SubsequenceMethod::Levels,
                                                SubsequenceMethod::Blocks};
constexpr DeviceLevelMethod kLevelMethods[] = {DeviceLevelMethod::Elements, DeviceLevelMethod::Levels,
                                               DeviceLevelMethod::Blocks};

// The device, opened once for all tests, so that programs are built once.
DeviceLevels& device() {
  static DeviceLevels levels(first_device());
  return levels;
}

template <class T>
void expect_host_answer(const std::vector<T>& values, std::size_t elements, bool or_fewer,
                        bool non_decreasing) {
  const std::span<const T> span(values);
  const SubsequenceQuery query{or_fewer ? Length::AtMost : Length::Exactly, elements, non_decreasing};
  const Subsequence expected = best_subsequence(span, query, {SubsequenceMethod::Fenwick, std::nullopt});
  const std::vector<std::int32_t> ranks = follower_ranks(span, non_decreasing);
  for (const DeviceLevelMethod method : kLevelMethods) {
    if (method == DeviceLevelMethod::Elements && values.size() > 600) continue;  // too many launches
    const DeviceTrace found = device().find(RankedVector<T>{ranks, values}, elements, or_fewer, method);
    ASSERT_EQ(found.positions, expected.positions)
        << "method " << static_cast<int>(method) << " of " << values.size() << " elements, K " << elements;
  }
}

TEST(DeviceSubsequence, AgreesWithTheHostAroundBlockBorders) {
  std::mt19937_64 rng(11);
  for (const std::size_t n : {1, 2, 7, 255, 256, 257, 511, 513, 1000, 2048, 2300}) {
    for (const std::int64_t reach : {std::int64_t{1}, std::int64_t{30}, std::int64_t{1} << 40}) {
      const auto values = random_vector<std::int64_t>(rng, n, -reach, reach);
      expect_host_answer(values, 1 + rng() % std::min<std::size_t>(n, 6), false, n % 2 == 0);
      expect_host_answer(values, 1 + rng() % std::min<std::size_t>(n, 4), true, n % 2 == 1);
    }
  }
}

TEST(DeviceSubsequence, AgreesOnSortedAndConstantVectors) {
  std::vector<std::int32_t> rising(700), falling(700);
  for (int i = 0; i < 700; ++i) {
    rising[i] = i - 350;
    falling[i] = 350 - i;
  }
  const std::vector<std::int32_t> constant(700, 3);
  for (const bool non_decreasing : {false, true}) {
    for (const auto& values : {rising, falling, constant}) {
      expect_host_answer(values, 5, false, non_decreasing);
      expect_host_answer(values, 3, true, non_decreasing);
    }
  }
}

TEST(DeviceSubsequence, EveryBlockSizeGivesTheSameAnswer) {
  std::mt19937_64 rng(12);
  const auto values = random_vector<std::int32_t>(rng, 20'000, -1000, 1000);
  const std::vector<std::int32_t> ranks = follower_ranks(std::span<const std::int32_t>(values), false);
  const RankedVector<std::int32_t> vector{ranks, values};
  const std::span<const std::int32_t> span(values);
  const std::vector<std::size_t> expected = best_subsequence(span, {Length::Exactly, 7, false}).positions;
  for (const std::size_t block : {256, 512, 1024}) {
    EXPECT_EQ(device().find(vector, 7, false, DeviceLevelMethod::Blocks, block).positions, expected);
  }
}

TEST(DeviceSubsequence, NoAnswerOfThatLength) {
  const std::vector<std::int32_t> falling = {3, 2, 1};
  for (const SubsequenceMethod method : kDeviceMethods) {
    const Subsequence answer = best_subsequence(std::span<const std::int32_t>(falling),
                                                {Length::Exactly, 2, false}, {method, first_device()});
    EXPECT_TRUE(answer.positions.empty());
    EXPECT_EQ(answer.longest, 1U);
  }
}

TEST(DeviceSubsequence, SaysWhyADeviceIsNotUsed) {
  const std::vector<double> wide = {1e300, 1e-300};
  const std::span<const double> span(wide);
  const SubsequenceQuery query{Length::Exactly, 1, false};
  const Subsequence answer = best_subsequence(span, query, {SubsequenceMethod::Auto, first_device()});
  EXPECT_EQ(answer.positions, std::vector<std::size_t>{0});
  EXPECT_NE(answer.passed_over.find("double precision"), std::string::npos) << answer.passed_over;
  EXPECT_THROW(best_subsequence(span, query, {SubsequenceMethod::Blocks, first_device()}), EngineFailure);
  EXPECT_THROW(best_subsequence(span, query, {SubsequenceMethod::Blocks, std::nullopt}),
               std::invalid_argument);
}

TEST(DeviceSubsequence, RefusesWhatDoesNotFit) {
  EXPECT_EQ(device().obstacle(1000, 10, 8, DeviceLevelMethod::Blocks), "");
  EXPECT_NE(device().obstacle(1'000'000'000, 10, 8, DeviceLevelMethod::Blocks), "");
  EXPECT_NE(device().obstacle(1'000'000, 1'000'000, 8, DeviceLevelMethod::Levels), "");
}

}  // namespace
}  // namespace gpuhmm
