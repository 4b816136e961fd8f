// Loops whose threads are kept: they compute as the caller would, and serve loop after loop.
#include "util/kept_threads.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "util/parallel.hpp"
#include "util/priority.hpp"

namespace gpuhmm {
namespace {

constexpr unsigned kThreads = 4;

// Runs `body` once in each of kThreads threads.
template <class Body>
void in_each(const Body& body) {
  std::atomic<unsigned> there = 0;
  parallel_for(kThreads, kThreads, 1, [&](std::size_t, std::size_t) {
    ++there;
    while (there < kThreads) std::this_thread::yield();
    body();
  });
}

// Until the threads of the loops before wait.
void wait_for_waiting(std::size_t threads) {
  for (int tries = 0; tries < 2000 && waiting_kept_threads() < threads; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(KeptThreads, ServeLoopAfterLoop) {
  std::set<std::thread::id> ids;
  std::mutex mutex;
  for (int loop = 0; loop < 50; ++loop) {
    in_each([&] {
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
    });
    wait_for_waiting(kThreads - 1);
  }
  EXPECT_EQ(ids.size(), kThreads);
}

TEST(KeptThreads, RoundAsTheCaller) {
  std::atomic<int> upward = 0;
  for (const int mode : {FE_UPWARD, FE_TONEAREST}) {
    std::fesetround(mode);
    in_each([&] { upward += std::fegetround() == FE_UPWARD ? 1 : 0; });
    wait_for_waiting(kThreads - 1);
    EXPECT_EQ(upward.exchange(0), mode == FE_UPWARD ? static_cast<int>(kThreads) : 0);
  }
}

TEST(KeptThreads, HaveTheCallersPriority) {
  const auto niceness = [] { return getpriority(PRIO_PROCESS, 0); };
  const int own = niceness();
  for (int round = 0; round < 2; ++round) {
    in_each([&] { EXPECT_EQ(niceness(), own); });
    run_giving_way(Niceness::Computes,
                   [&] { in_each([&] { EXPECT_EQ(niceness(), static_cast<int>(Niceness::Computes)); }); });
    wait_for_waiting(2 * (kThreads - 1));
  }
}

TEST(KeptThreads, AreNotThoseOfAForkedChildsParent) {
  in_each([] {});
  wait_for_waiting(kThreads - 1);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);  // ends a child that waits for threads it does not have
    in_each([] {});
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(KeptThreads, LoopsWithinLoopsAndExceptions) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> sum = 0;
    parallel_for(kThreads, 8, 1, [&](std::size_t outer, std::size_t) {
      parallel_for(kThreads, 10, 3, [&](std::size_t first, std::size_t last) {
        for (; first < last; ++first) sum += static_cast<int>(outer * first);
      });
    });
    EXPECT_EQ(sum, 28 * 45);
    EXPECT_THROW(parallel_for(kThreads, 100, 1,
                              [](std::size_t first, std::size_t) {
                                if (first == 50) throw std::runtime_error("fifty");
                              }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace gpuhmm
