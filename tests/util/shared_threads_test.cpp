// Loops of several callers do all their work, and no more bodies run at a time than the threads allow.
#include "util/shared_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace gpuhmm {
namespace {

TEST(SharedThreads, DoTheWorkOfSeveralCallersWithinTheirLimit) {
  constexpr std::size_t kCallers = 4, kIterations = 60;
  for (const unsigned most : {1U, 3U}) {
    SharedThreads threads(most, 3);
    EXPECT_EQ(threads.each(), 3U);
    std::atomic<unsigned> running = 0, largest = 0;
    std::vector<std::vector<std::atomic<int>>> done(kCallers);
    std::vector<std::thread> callers;
    for (auto& own : done) {
      own = std::vector<std::atomic<int>>(kIterations);
      callers.emplace_back([&] {
        threads.run(kIterations, 2, [&](std::size_t first, std::size_t last) {
          const unsigned now = ++running;
          for (unsigned before = largest; before < now && !largest.compare_exchange_weak(before, now);) {
          }
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          for (std::size_t i = first; i < last; ++i) ++own[i];
          --running;
        });
      });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_LE(largest, most);
    for (const auto& own : done) {
      for (const auto& times : own) EXPECT_EQ(times, 1);
    }
  }
}

TEST(SharedThreads, GoOnAfterAFailure) {
  SharedThreads threads(2, 2);
  for (int i = 0; i < 5; ++i) {
    const auto fail = [](std::size_t, std::size_t) { throw std::runtime_error("lost"); };
    EXPECT_THROW(threads.run(10, 1, fail), std::runtime_error);
  }
  std::atomic<int> done = 0;
  threads.run(10, 1, [&](std::size_t, std::size_t) { ++done; });
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace gpuhmm
