// Results of several threads are passed on in order, each once, by one thread at a time.
#include "util/in_order.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "util/parallel.hpp"

namespace gpuhmm {
namespace {

TEST(InOrder, PassesOnRunsAsSoonAsTheyAreComplete) {
  std::vector<std::vector<int>> runs;
  InOrder<int> results(5, [&](std::size_t first, std::span<const int> taken) {
    EXPECT_EQ(taken.front(), static_cast<int>(first) * 10);
    runs.emplace_back(taken.begin(), taken.end());
  });
  results.put(1, 10);
  results.put(3, 30);
  EXPECT_TRUE(runs.empty());
  results.put(0, 0);
  results.put(2, 20);
  results.put(4, 40);
  EXPECT_EQ(runs, (std::vector<std::vector<int>>{{0, 10}, {20, 30}, {40}}));
}

TEST(InOrder, PassesOnResultsOfManyThreadsInOrder) {
  constexpr std::size_t kCount = 5000;
  std::vector<std::size_t> taken;
  std::atomic<int> takers = 0;
  InOrder<std::size_t> results(kCount, [&](std::size_t, std::span<const std::size_t> run) {
    EXPECT_EQ(++takers, 1);
    taken.insert(taken.end(), run.begin(), run.end());
    --takers;
  });
  parallel_for(4, kCount, 1, [&](std::size_t first, std::size_t) {
    if (first % 7 == 0) std::this_thread::yield();
    results.put(first, std::size_t{first});
  });
  std::vector<std::size_t> wanted(kCount);
  std::iota(wanted.begin(), wanted.end(), std::size_t{0});
  EXPECT_EQ(taken, wanted);
}

TEST(InOrder, PassesOnNothingAfterAnException) {
  int calls = 0;
  InOrder<int> results(3, [&](std::size_t, std::span<const int>) {
    ++calls;
    throw std::runtime_error("taker");
  });
  EXPECT_THROW(results.put(0, 1), std::runtime_error);
  results.put(1, 1);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace gpuhmm
