// How many threads a command takes.
#include <gtest/gtest.h>

#include "cli/options.hpp"

namespace gpuhmm::cli {
namespace {

TEST(Threads, AreFewerBesideDevices) {
  EXPECT_EQ(threads_beside(1, 2), 2U);
  EXPECT_EQ(threads_beside(1, 32), 32U);
  EXPECT_EQ(threads_beside(2, 64), 32U);
  EXPECT_EQ(threads_beside(4, 64), 32U);
  EXPECT_EQ(threads_beside(8, 128), 64U);
  EXPECT_EQ(threads_beside(8, 48), 48U);
}

}  // namespace
}  // namespace gpuhmm::cli
