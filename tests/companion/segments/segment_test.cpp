// Compares the plain algorithms with the definitions.
#include "companion/segments/segment.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "companion/segments/random_vectors.hpp"
#include "companion/segments/summary.hpp"

namespace gpuhmm {
namespace {

using test::Found;
using test::Ints;

Segment<std::int64_t> best(const Ints& x) {
  return best_segment<std::int64_t>(std::span<const std::int64_t>(x));
}
Found all(const Ints& x) { return maximal_segments<std::int64_t>(std::span<const std::int64_t>(x)); }
std::string text(const Ints& x) { return testing::PrintToString(x); }

TEST(Segments, ExampleOfTheDissertation) {
  const Ints x = {3, 5, 10, -5, -30, 5, 7, 2, -3, 10, -7, 5};
  EXPECT_EQ(best(x), (Segment<std::int64_t>{5, 10, 21}));
  EXPECT_EQ(all(x), (Found{{0, 3, 18}, {5, 10, 21}, {11, 12, 5}}));
}

TEST(Segments, ExampleOfRuzzoAndTompa) {
  EXPECT_EQ(all({4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5}), (Found{{0, 1, 4}, {2, 3, 3}, {4, 11, 7}}));
}

TEST(Segments, TiesEndFirstThenAreShortest) {
  EXPECT_EQ(best({1, -1, 2}), (Segment<std::int64_t>{2, 3, 2}));
  EXPECT_EQ(all({1, -1, 2}), (Found{{0, 1, 1}, {2, 3, 2}}));
  EXPECT_EQ(best({0, 5, 0}), (Segment<std::int64_t>{1, 2, 5}));
  EXPECT_EQ(best({5, -9, 5}), (Segment<std::int64_t>{0, 1, 5}));
}

TEST(Segments, NothingPositiveIsTheEmptySegment) {
  for (const Ints& x : {Ints{}, Ints{0}, Ints{-3, -1}, Ints{0, 0, 0}}) {
    EXPECT_TRUE(best(x).empty());
    EXPECT_EQ(best(x).score, 0);
    EXPECT_TRUE(all(x).empty());
  }
}

TEST(Segments, AgreeWithTheDefinitions) {
  std::mt19937 random(11);
  for (int round = 0; round < 6000; ++round) {
    const std::size_t size = random() % 24;
    const Ints x = test::random_vector(random, size, round % test::kVectorKinds);
    ASSERT_EQ(best(x), test::brute_best(x)) << text(x);
    ASSERT_EQ(all(x), test::brute_maximal(x)) << text(x);
  }
}

TEST(Segments, TheBestIsTheFirstBestOfAll) {
  std::mt19937 random(12);
  for (int round = 0; round < 300; ++round) {
    const Ints x = test::random_vector(random, random() % 2000, round % test::kVectorKinds);
    Segment<std::int64_t> first;
    for (const auto& s : all(x)) {
      if (s.score > first.score) first = s;
    }
    ASSERT_EQ(best(x), first);
  }
}

TEST(Segments, BlocksGiveTheSegmentsOfTheWhole) {
  std::mt19937 random(13);
  for (int round = 0; round < 1000; ++round) {
    const Ints x = test::random_vector(random, random() % 300, round % test::kVectorKinds);
    MaximalSegmentStack<std::int64_t> stack;
    std::int64_t before = 0;
    for (std::size_t at = 0; at < x.size();) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 40, x.size() - at);
      const auto block = std::span<const std::int64_t>(x).subspan(at, size);
      const auto inner = maximal_segment_stack<std::int64_t>(block);
      const Found found = inner.segments();
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::int64_t low = before + inner.low(i);
        stack.push(at + found[i].begin, at + found[i].end, low, low + found[i].score);
      }
      before = std::accumulate(block.begin(), block.end(), before);
      at += size;
    }
    ASSERT_EQ(stack.segments(), all(x)) << text(x);
  }
}

BlockSummary<std::int64_t> summary(const Ints& x, std::size_t begin, std::size_t end, std::mt19937& random) {
  if (begin == end) return {};
  if (end - begin == 1) return element_summary(x[begin], begin);
  const std::size_t middle = begin + random() % (end - begin + 1);
  if (middle == begin || middle == end) {
    return merge(element_summary(x[begin], begin), summary(x, begin + 1, end, random));
  }
  return merge(summary(x, begin, middle, random), summary(x, middle, end, random));
}

TEST(Summaries, AnyBracketingGivesTheBestSegment) {
  std::mt19937 random(14);
  for (int round = 0; round < 6000; ++round) {
    const Ints x = test::random_vector(random, random() % 30, round % test::kVectorKinds);
    const auto whole = summary(x, 0, x.size(), random);
    ASSERT_EQ(whole.best, best(x)) << text(x);
    ASSERT_EQ(whole.total, std::accumulate(x.begin(), x.end(), std::int64_t{0}));
  }
}

TEST(Summaries, FiveNumbersSayTheSameAsFour) {
  EXPECT_EQ(five_of(four_of(FiveNumbers<std::int64_t>{6, -9, 14, -12, 9})).best, 14);
  std::mt19937 random(15);
  for (int round = 0; round < 6000; ++round) {
    const Ints x = test::random_vector(random, random() % 30, round % test::kVectorKinds);
    const auto four = summary(x, 0, x.size(), random);
    const FiveNumbers<std::int64_t> five = five_of(four);
    ASSERT_GE(five.prefix, 0);
    ASSERT_LE(five.left_gap, 0);
    ASSERT_LE(five.right_gap, 0);
    ASSERT_GE(five.suffix, 0);
    const auto back = four_of(five);
    ASSERT_EQ(back.total, four.total) << text(x);
    ASSERT_EQ(back.prefix, four.prefix) << text(x);
    ASSERT_EQ(back.suffix, four.suffix) << text(x);
    ASSERT_EQ(back.best.score, four.best.score) << text(x);
    // A vector of the five numbers has the same best sum as the block, alone and between other elements.
    const Ints y = test::random_vector(random, 5, 1);
    Ints around = {y[0], y[1], five.prefix, five.left_gap, five.best, five.right_gap, five.suffix, y[2]};
    Ints whole = {y[0], y[1]};
    whole.insert(whole.end(), x.begin(), x.end());
    whole.push_back(y[2]);
    ASSERT_EQ(best(around).score, best(whole).score) << text(x);
  }
}

}  // namespace
}  // namespace gpuhmm
