// Tasks that wait for threads and devices: in which order they are taken, and how many at a time.
#include "search/hmmer3_task_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

struct SomeTask {
  std::vector<char> sequence;
};

class Hmmer3TaskPool : public ::testing::Test {
 protected:
  void add(std::size_t place, std::size_t length) {
    tasks_.push_back({std::vector<char>(length)});
    pool_.add({&tasks_.back(), &parts_[place]});
  }

  static std::vector<std::size_t> lengths(const TaskPool<SomeTask>::Tasks& taken) {
    std::vector<std::size_t> all;
    for (const auto& task : taken) all.push_back(task.length());
    return all;
  }

  using Lengths = std::vector<std::size_t>;
  std::vector<StagePart> parts_ = {{.place = 0}, {.place = 1}, {.place = 2}};
  std::deque<SomeTask> tasks_;
  TaskPool<SomeTask> pool_{3};
};

TEST_F(Hmmer3TaskPool, AThreadTakesTheLongestAndOthersOfItsComparison) {
  for (const std::size_t length : {10U, 50U, 20U, 40U, 30U}) add(0, length);
  for (const std::size_t length : {45U, 35U}) add(2, length);
  EXPECT_EQ(pool_.longest(), 50U);
  EXPECT_EQ(lengths(pool_.take_longest()), Lengths({50, 40, 30, 20}));
  EXPECT_EQ(pool_.longest(), 45U);
  EXPECT_EQ(lengths(pool_.take_longest()), Lengths({45, 35}));
  EXPECT_EQ(lengths(pool_.take_longest()), Lengths({10}));
  EXPECT_EQ(pool_.longest(), 0U);
  EXPECT_EQ(pool_.size(), 0U);
}

TEST_F(Hmmer3TaskPool, LongOnesAreAlone) {
  for (const std::size_t length : {5000U, 3000U, 1000U, 100U}) add(1, length);
  EXPECT_EQ(lengths(pool_.take_longest()), Lengths({5000}));
  EXPECT_EQ(lengths(pool_.take_longest()), Lengths({3000, 1000}));
  EXPECT_EQ(lengths(pool_.take_longest()), Lengths({100}));
}

TEST_F(Hmmer3TaskPool, ADeviceTakesAShareTheShortest) {
  EXPECT_TRUE(pool_.take_shortest(0.5).empty());
  for (std::size_t n = 1; n <= 9; ++n) add(n % 3, 10 * n);
  Lengths half = lengths(pool_.take_shortest(0.5));
  std::ranges::sort(half);
  EXPECT_EQ(half, Lengths({10, 20, 30, 40, 50}));
  EXPECT_EQ(pool_.longest(), 90U);
  EXPECT_EQ(pool_.take_shortest(1).size(), 4U);
  EXPECT_EQ(pool_.longest(), 0U);
}

TEST_F(Hmmer3TaskPool, NoneIsLost) {
  test::Generator random(7);
  std::vector<const SomeTask*> taken;
  const auto take = [&](const TaskPool<SomeTask>::Tasks& those) {
    for (const auto& task : those) taken.push_back(task.task);
  };
  for (int n = 0; n < 300; ++n) {
    add(random() % 3, 1 + random() % 60);
    if (n % 7 == 0) take(pool_.take_longest());
    if (n % 50 == 0) take(pool_.take_shortest(0.3));
    const auto is_taken = [&](const SomeTask& task) {
      return std::ranges::find(taken, &task) != taken.end();
    };
    std::size_t longest = 0, left = 0;
    for (const SomeTask& task : tasks_) {
      if (is_taken(task)) continue;
      longest = std::max(longest, task.sequence.size());
      ++left;
    }
    ASSERT_EQ(pool_.longest(), longest);
    ASSERT_EQ(pool_.size(), left);
  }
  while (pool_.size() > 0) take(pool_.take_longest());
  EXPECT_EQ(taken.size(), tasks_.size());
  std::ranges::sort(taken);
  EXPECT_EQ(std::ranges::unique(taken).size(), 0U);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
