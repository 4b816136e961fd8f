// The publication's kernels for the maximum subsequence against the plain algorithms.
#include "experiment/maximum/segment_scanner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "companion/segments/summary.hpp"
#include "experiment/maximum/data.hpp"
#include "experiment/maximum/pocl_device.hpp"
#include "experiment/maximum/sequential.hpp"

namespace gpuhmm::experiment::maximum {
namespace {

using Five = FiveNumbers<std::int64_t>;

// Each kernel with and without branches, and other strides.
std::vector<ScanShape> shapes(unsigned groups, unsigned group) {
  std::vector<ScanShape> all;
  for (const bool branches : {true, false}) {
    for (const ScanShape& one : {ScanShape{.staged = false}, ScanShape{}, ScanShape{.pitch = 33}}) {
      all.push_back({one.staged, branches, groups, group, one.pitch});
    }
  }
  return all;
}

std::vector<Five> fives_of(const Numbers& numbers) {
  std::vector<Five> fives;
  for (std::size_t i = 0; i < numbers.size(); i += 5) {
    fives.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3], numbers[i + 4]});
  }
  return fives;
}

BlockSummary<std::int64_t> summary_of(std::span<const std::int32_t> run) {
  BlockSummary<std::int64_t> whole;
  for (std::size_t i = 0; i < run.size(); ++i) {
    whole = merge(whole, element_summary<std::int64_t>(run[i], i));
  }
  return whole;
}

// The five numbers of each run say what the four do, their signs are right, and the host finds the best sum
// in them.
void expect_right(SegmentScanner& scanner, const Numbers& values, const ScanShape& shape) {
  SCOPED_TRACE(testing::Message() << shape.name() << ", " << values.size() << " elements");
  const Numbers found = scanner.scan(shape);
  ASSERT_EQ(found.size(), 5 * shape.items());
  const std::size_t run = shape.run(values.size());
  const std::vector<Five> fives = fives_of(found);
  for (std::size_t i = 0; i < fives.size(); ++i) {
    const std::size_t first = std::min(i * run, values.size());
    const auto part = std::span(values).subspan(first, std::min(run, values.size() - first));
    const auto expected = summary_of(part), four = four_of(fives[i]);
    ASSERT_EQ(four.total, expected.total) << i;
    ASSERT_EQ(four.prefix, expected.prefix) << i;
    ASSERT_EQ(four.suffix, expected.suffix) << i;
    ASSERT_EQ(four.best.score, expected.best.score) << i;
    ASSERT_GE(std::min(fives[i].prefix, fives[i].suffix), 0) << i;
    ASSERT_LE(std::max(fives[i].left_gap, fives[i].right_gap), 0) << i;
  }
  ASSERT_EQ(sequential_subsequence(found).score,
            best_segment<std::int64_t>(std::span<const std::int32_t>(values)).score);
}

TEST(SegmentScanner, GivesTheFiveNumbersOfTheExampleOfThePublication) {
  const Numbers values{5, -3, -1, 5, -9, 3, 2, 8, 1, -9, 3, -6, 3, -1, 0, 3, -3, 0, 7};
  SegmentScanner scanner(test_device());
  scanner.load(values);
  for (ScanShape shape : shapes(1, 32)) {
    // One run holds all: the others lie behind the end.
    Numbers padded(values);
    padded.resize(32 * values.size() - 31, 0);
    scanner.load(padded);
    EXPECT_EQ(shape.run(padded.size()), values.size());
    const Numbers found = scanner.scan(shape);
    EXPECT_EQ(Numbers(found.begin(), found.begin() + 5), (Numbers{6, -9, 14, -12, 9})) << shape.name();
  }
}

TEST(SegmentScanner, EqualsThePlainAlgorithmAtAnySize) {
  SegmentScanner scanner(test_device());
  std::mt19937 random(3);
  for (const std::size_t size : {1, 2, 31, 32, 63, 64, 65, 1000, 2047, 2048, 2049, 4097, 10'007}) {
    for (const int most : {1, 9, 999}) {
      Numbers values(size);
      std::uniform_int_distribution<std::int32_t> value(-most, most);
      for (std::int32_t& v : values) v = value(random);
      scanner.load(values);
      for (const ScanShape& shape : shapes(2, 32))
        ASSERT_NO_FATAL_FAILURE(expect_right(scanner, values, shape));
    }
  }
}

TEST(SegmentScanner, EqualsThePlainAlgorithmOnEachDataSet) {
  SegmentScanner scanner(test_device());
  for (const DataSet set : kDataSets) {
    const Numbers values = subsequence_data(set, 50'021, ScanShape{}.run(50'021), 7, 2);
    scanner.load(values);
    for (const ScanShape& shape : shapes(90, 128))
      ASSERT_NO_FATAL_FAILURE(expect_right(scanner, values, shape));
  }
}

TEST(SegmentScanner, TakesSumsUpToTheEndOf32Bits) {
  SegmentScanner scanner(test_device());
  constexpr std::int32_t kMost = 2'147'483'647 / 40;  // runs have 40 elements
  std::mt19937 random(4);
  for (const int kind : {0, 1, 2}) {
    Numbers values(40 * 64);
    for (std::int32_t& v : values)
      v = kind == 0 ? kMost : kind == 1 ? -kMost : random() % 2 == 0 ? kMost : -kMost;
    scanner.load(values);
    for (const ScanShape& shape : shapes(2, 32))
      ASSERT_NO_FATAL_FAILURE(expect_right(scanner, values, shape));
  }
}

}  // namespace
}  // namespace gpuhmm::experiment::maximum
