// Tests that wrong results of a device for a vector are refused.
#include "companion/subsequence/device_check.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gpuhmm {
namespace {

const std::vector<std::int32_t> kValues = {4, 6, 1, 3, 8, 4, 6};
const std::vector<std::int32_t> kRanks = {3, 5, 0, 1, 6, 2, 4};

RankedVector<std::int32_t> vector() { return {kRanks, kValues}; }

void check(std::vector<std::size_t> positions, BestLevel<std::int32_t> best = {3, 18}) {
  check_positions<std::int32_t>(vector(), best, positions, "device");
}

TEST(DeviceCheck, AcceptsRightPositions) { EXPECT_NO_THROW(check({0, 1, 4})); }

TEST(DeviceCheck, RefusesWrongPositions) {
  const std::size_t far = std::numeric_limits<std::int32_t>::max();
  EXPECT_THROW(check({0, 1}), WrongDeviceResult);
  EXPECT_THROW(check({0, 1, far}), WrongDeviceResult);
  EXPECT_THROW(check({0, 1, static_cast<std::size_t>(-1)}), WrongDeviceResult);
  EXPECT_THROW(check({0, 1, 7}), WrongDeviceResult);
  EXPECT_THROW(check({1, 0, 4}), WrongDeviceResult);
  EXPECT_THROW(check({0, 0, 4}), WrongDeviceResult);
  EXPECT_THROW(check({0, 2, 4}), WrongDeviceResult);  // 4 > 1
  EXPECT_THROW(check({2, 3, 4}), WrongDeviceResult);  // the sum is 12, not 18
}

TEST(DeviceCheck, ChecksSumsOfALevel) {
  const std::int32_t none = no_sum<std::int32_t>();
  // Level 2: each element plus the largest of the later elements that exceed it.
  const std::vector<std::int32_t> second = {12, 14, 9, 11, none, 10, none};
  const auto look = [&](const std::vector<std::int32_t>& level) {
    check_level<std::int32_t>(vector(), kValues, level, "device");
  };
  EXPECT_NO_THROW(look(second));
  for (std::size_t i = 0; i < second.size(); ++i) {
    std::vector<std::int32_t> wrong = second;
    wrong[i] = 1;
    EXPECT_THROW(look(wrong), WrongDeviceResult) << i;
  }
  EXPECT_NO_THROW(check_level<std::int32_t>(vector(), {}, kValues, "device"));
  EXPECT_THROW(check_level<std::int32_t>(vector(), {}, second, "device"), WrongDeviceResult);
}

}  // namespace
}  // namespace gpuhmm
