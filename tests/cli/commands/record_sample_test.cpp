// Tests which records of a file are kept, and which are chosen.
#include "cli/commands/record_sample.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gpuhmm::cli {
namespace {

constexpr std::size_t kAll = 1 << 20;

// Records "0000\n", "0001\n" ... of one size.
RecordSample numbered(std::size_t most, int count, std::uint64_t size = 10) {
  RecordSample sample(most);
  for (int i = 0; i < count; ++i) {
    const std::string digits = std::to_string(i);
    sample.add(sample.keeps_next() ? std::string(4 - digits.size(), '0') + digits + "\n" : "lost", size);
  }
  return sample;
}

std::vector<int> numbers(const RecordSample::Chosen& chosen) {
  std::vector<int> all;
  for (std::size_t i = 0; i < chosen.text.size(); i += 5) all.push_back(std::stoi(chosen.text.substr(i, 4)));
  return all;
}

TEST(RecordSample, KeepsAllThatFit) {
  const RecordSample sample = numbered(kAll, 6);
  EXPECT_EQ(sample.records(), 6U);
  EXPECT_EQ(sample.size(), 60U);
  const RecordSample::Chosen all = sample.choose(1e9);
  EXPECT_EQ(numbers(all), (std::vector{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(all.records, 6U);
  EXPECT_EQ(all.size, 60U);
}

TEST(RecordSample, ChoosesAsManyAgain) {
  RecordSample sample(kAll);
  for (int i = 0; i < 50; ++i) sample.add("0000\n", i % 7);  // sizes that differ
  for (const double size : {1.0, 13.0, 40.0, 77.0, 1e6}) {
    const RecordSample::Chosen first = sample.choose(size);
    const RecordSample::Chosen again = sample.choose_records(first.records);
    EXPECT_EQ(again.size, first.size);
    EXPECT_EQ(again.text, first.text);
  }
  EXPECT_EQ(sample.choose_records(0).records, 1U);
  EXPECT_EQ(sample.choose_records(99).records, 50U);
  EXPECT_EQ(RecordSample(kAll).choose_records(3).records, 0U);
}

TEST(RecordSample, SpreadsWhatItChooses) {
  const RecordSample sample = numbered(kAll, 9);
  EXPECT_EQ(numbers(sample.choose(30)), (std::vector{1, 4, 7}));
  EXPECT_EQ(sample.choose(30).size, 30U);
  EXPECT_EQ(numbers(sample.choose(0)), (std::vector{4}));
}

TEST(RecordSample, KeepsEverySecondWhenThereAreTooMany) {
  const RecordSample sample = numbered(50, 1000);
  EXPECT_EQ(sample.records(), 1000U);
  EXPECT_EQ(sample.size(), 10'000U);
  const std::vector<int> kept = numbers(sample.choose(1e9));
  ASSERT_GE(kept.size(), 5U);
  EXPECT_LE(kept.size(), 11U);
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i], static_cast<int>(i) * kept[1]);
  EXPECT_GT(kept.back(), 1000 - 2 * kept[1]);
}

TEST(RecordSample, KeepsALargeRecord) {
  const RecordSample sample = numbered(1, 1);
  EXPECT_EQ(numbers(sample.choose(1)), (std::vector{0}));
}

TEST(RecordSample, OfNothingIsEmpty) {
  const RecordSample::Chosen none = RecordSample(kAll).choose(100);
  EXPECT_EQ(none.text, "");
  EXPECT_EQ(none.records, 0U);
  EXPECT_EQ(none.size, 0U);
}

}  // namespace
}  // namespace gpuhmm::cli
