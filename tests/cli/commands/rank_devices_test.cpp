// Tests which devices a rank gets. Tests with the GPUs of a machine need one.
#include "cli/commands/rank_devices.hpp"

#include <gtest/gtest.h>

namespace gpuhmm::cli {
namespace {

TEST(RankDevices, OneRankHasAll) {
  EXPECT_EQ(devices_of_rank("0,1,2", 0, 1), "0,1,2");
  EXPECT_EQ(devices_of_rank("auto", 0, 1), "auto");
}

TEST(RankDevices, TheHostIsNotDivided) { EXPECT_EQ(devices_of_rank("none", 1, 2), "none"); }

TEST(RankDevices, NamedDevicesAreDealtOut) {
  EXPECT_EQ(devices_of_rank("a,b,c,d,e", 0, 2), "a,c,e");
  EXPECT_EQ(devices_of_rank("a,b,c,d,e", 1, 2), "b,d");
}

TEST(RankDevices, RanksShareDevicesIfThereAreFewer) {
  EXPECT_EQ(devices_of_rank("a,b", 0, 5), "a");
  EXPECT_EQ(devices_of_rank("a,b", 3, 5), "b");
  EXPECT_EQ(devices_of_rank("a,b", 4, 5), "a");
}

}  // namespace
}  // namespace gpuhmm::cli
