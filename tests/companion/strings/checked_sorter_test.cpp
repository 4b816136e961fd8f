// Wrong results of a device's sorter are found, reported once, and repeated by the host.
#include "companion/strings/checked_sorter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "companion/strings/reference.hpp"
#include "opencl/wrong_result.hpp"
#include "random_strings.hpp"

namespace gpuhmm {
namespace {

// Sorts as the host does and then spoils the result.
struct FaultyDevice : public Sorter {
  std::span<std::uint64_t> sort_keys(std::span<std::uint64_t> keys,
                                     std::span<std::uint64_t> scratch) override {
    ++calls;
    std::copy(keys.begin(), keys.end(), scratch.begin());
    std::sort(scratch.begin(), scratch.end());
    if (spoil_keys) spoil_keys(scratch);
    return scratch;
  }
  std::vector<std::uint32_t> count_lines(const EqualLines& lines) override {
    ++calls;
    auto counts = make_host_sorter(1)->count_lines(lines);
    if (spoil_counts) spoil_counts(counts);
    return counts;
  }
  SortedStrings sort_strings(const StringSet& set) override {
    ++calls;
    SortedStrings sorted = reference_sort(set);
    if (spoil_strings) spoil_strings(sorted);
    return sorted;
  }

  std::function<void(std::span<std::uint64_t>)> spoil_keys;
  std::function<void(std::vector<std::uint32_t>&)> spoil_counts;
  std::function<void(SortedStrings&)> spoil_strings;
  int calls = 0;
};

class CheckedSorter : public ::testing::Test {
 protected:
  CheckedSorter() {
    auto device = std::make_unique<FaultyDevice>();
    device_ = device.get();
    CheckedSorterOptions options;
    options.device = "faulty";
    options.threads = 2;
    options.suits = [](std::size_t, std::uint64_t, std::uint64_t) { return true; };
    options.warn = [this](const std::string& message) { warnings_.push_back(message); };
    sorter_ = make_checked_sorter(std::move(device), options);
  }

  void expect_keys(std::size_t size) {
    Generator rng(1);
    std::vector<std::uint64_t> keys(size), scratch(size);
    for (auto& key : keys) key = rng() % 1000;
    std::vector<std::uint64_t> expected = keys;
    std::sort(expected.begin(), expected.end());
    const auto sorted = sorter_->sort_keys(keys, scratch);
    EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end()));
  }
  // `descending`: the input order is that of descending starts.
  void expect_strings(bool descending = false) {
    Generator rng(2);
    const std::string text = random_lines(rng, 700, "ACGT", 4, 0, 9);
    StringSet set = strings_of(text);
    if (descending) std::ranges::reverse(set.starts);
    EXPECT_TRUE(sorter_->sort_strings(set) == reference_sort(set));
  }
  void expect_counts() {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += i % 7 < 4 ? "AC\n" : "CA\n";
    CharacterPacking::Seen seen{};
    for (const char c : text) seen[static_cast<unsigned char>(c)] = true;
    const EqualLines lines(text, 2, seen);
    EXPECT_EQ(sorter_->count_lines(lines), make_host_sorter(1)->count_lines(lines));
  }

  FaultyDevice* device_ = nullptr;
  std::vector<std::string> warnings_;
  std::unique_ptr<Sorter> sorter_;
};

TEST_F(CheckedSorter, AcceptsRightResults) {
  for (const std::size_t size : {0, 1, 1000, 300000}) expect_keys(size);
  expect_strings();
  expect_strings(true);
  expect_counts();
  EXPECT_TRUE(warnings_.empty());
  EXPECT_EQ(device_->calls, 7);
}

TEST_F(CheckedSorter, NoticesWrongKeys) {
  const std::vector<std::function<void(std::span<std::uint64_t>)>> faults = {
      [](auto keys) { std::swap(keys.front(), keys.back()); }, [](auto keys) { keys[5] = keys[4]; },
      [](auto keys) { std::fill(keys.begin(), keys.end(), 0); },
      [](auto keys) { keys.back() = ~std::uint64_t{0}; },
      [](auto keys) { std::iota(keys.begin(), keys.end(), 0); }};
  for (const auto& fault : faults) {
    auto device = std::make_unique<FaultyDevice>();
    device->spoil_keys = fault;
    std::vector<std::string> warnings;
    sorter_ = make_checked_sorter(
        std::move(device),
        {"faulty", 2, false, [](std::size_t, std::uint64_t, std::uint64_t) { return true; },
         [&](const std::string& message) { warnings.push_back(message); }});
    expect_keys(300000);
    expect_keys(1000);  // the device is not used again; no second warning
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("faulty gave a wrong result"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("going on with the host"), std::string::npos);
  }
}

TEST_F(CheckedSorter, NoticesWrongCounts) {
  device_->spoil_counts = [](auto& counts) { ++counts[0]; };
  expect_counts();
  EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(CheckedSorter, NoticesCountsOfOtherLines) {
  device_->spoil_counts = [](auto& counts) {
    std::reverse(counts.begin(), counts.end());
    std::swap(counts[0], counts[1]);
  };
  expect_counts();
  EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(CheckedSorter, NoticesTooFewCounts) {
  device_->spoil_counts = [](auto& counts) { counts.pop_back(); };
  expect_counts();
  EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(CheckedSorter, NoticesWrongStrings) {
  const std::vector<std::function<void(SortedStrings&)>> faults = {
      [](SortedStrings& strings) { std::swap(strings.front(), strings.back()); },
      [](SortedStrings& strings) { strings[9] = strings[8]; },
      [](SortedStrings& strings) { strings[9] = SortedString(std::uint64_t{1} << 60, false); },
      [](SortedStrings& strings) { strings[0] = SortedString(strings[0].start(), true); },
      [](SortedStrings& strings) { strings.pop_back(); },
      [](SortedStrings& strings) {
        for (auto& string : strings) string = SortedString(string.start(), false);
      },
      [](SortedStrings& strings) {
        for (std::size_t i = 1; i < strings.size(); ++i) {
          if (!strings[i].repeated()) continue;
          const std::uint64_t first = strings[i - 1].start();
          strings[i - 1] = SortedString(strings[i].start(), strings[i - 1].repeated());
          strings[i] = SortedString(first, true);
        }
      }};
  for (std::size_t n = 0; n < 2 * faults.size(); ++n) {
    const std::size_t i = n / 2;
    const bool descending = n % 2 != 0;
    auto device = std::make_unique<FaultyDevice>();
    device->spoil_strings = faults[i];
    std::vector<std::string> warnings;
    sorter_ = make_checked_sorter(
        std::move(device),
        {"faulty", 2, false, [](std::size_t, std::uint64_t, std::uint64_t) { return true; },
         [&](const std::string& message) { warnings.push_back(message); }});
    expect_strings(descending);
    EXPECT_EQ(warnings.size(), 1U) << i;
  }
}

TEST_F(CheckedSorter, GivesFailuresToTheHostOnlyWithTheOption) {
  device_->spoil_keys = [](auto) { throw EngineFailure("lost", -36); };
  EXPECT_THROW(expect_keys(10), EngineFailure);
  EXPECT_TRUE(warnings_.empty());
  device_->spoil_keys = [](auto) { throw EngineFailure("no memory", -4); };
  expect_keys(10);
}

TEST(StringsInOrder, RefusesNumbersOutOfRange) {
  const StringSet set = strings_of("b\na\na\n");
  const std::uint32_t repeated = std::uint32_t{1} << 31;
  const SortedStrings sorted = strings_in_order(set, std::vector<std::uint32_t>{1, 2 | repeated, 0}, "d");
  EXPECT_TRUE(sorted == reference_sort(set));
  EXPECT_THROW(strings_in_order(set, std::vector<std::uint32_t>{1, 3, 0}, "d"), WrongDeviceResult);
  EXPECT_THROW(strings_in_order(set, std::vector<std::uint32_t>{~0U, 1, 0}, "d"), WrongDeviceResult);
}

}  // namespace
}  // namespace gpuhmm
