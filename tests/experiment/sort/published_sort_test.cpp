// The publication's sort and today's on the OpenCL CPU device (PoCL), against the plain reference.
#include "experiment/sort/published_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "experiment/sort/published.hpp"
#include "experiment/sort/today_sort.hpp"

namespace gpuhmm::experiment::sorting {
namespace {

DeviceInfo device() {
  const std::optional<DeviceInfo> found = select_device(list_devices(), "pthread");
  if (!found) throw std::runtime_error("no OpenCL CPU device: install pocl-opencl-icd");
  return *found;
}

// One word, sizes around the tiles of a work-group, few and many different words, other lengths and
// alphabets.
std::vector<WordShape> shapes() {
  return {{.count = 1},
          {.count = 191},
          {.count = 769 * 5 + 1},
          {.count = 20011},
          {.count = 20011, .shared = 8},
          {.count = 20011, .shared = 9},
          {.count = 5003, .length = 1},
          {.count = 5003, .length = 10},
          {.count = 5003, .length = 3, .alphabet = "x"},
          {.count = 5003, .length = 4, .alphabet = "!acgtz\xff"}};
}

TEST(PublishedSort, EqualsThePlainReference) {
  for (const auto& each : kTable3) {
    for (const auto& group : kTable4) {
      PublishedSort sort(device(), {each.setting, group.setting});
      for (const WordShape& shape : shapes()) {
        const WordSet set = random_words(shape, 5, 1);
        std::string sorted(set.text.size(), '?');
        sort.sort(set, sorted);
        EXPECT_TRUE(sorted == sorted_words(set)) << each.setting << " words a work-item, groups of "
                                                 << group.setting << ", " << shape.count << " words";
      }
    }
  }
}

TEST(PublishedSort, SortsWordsInAnyOrderAndAgain) {
  PublishedSort sort(device(), {});
  const WordSet set = random_words({.count = 3000}, 5, 1);
  const std::string expected = sorted_words(set);
  WordSet ascending{set.shape, expected}, reversed{set.shape, expected};
  std::reverse(reversed.text.begin(), reversed.text.end() - 1);  // the letters of words, too
  for (const WordSet& given : {ascending, reversed, ascending}) {
    std::string sorted(given.text.size(), '?');
    sort.sort(given, sorted);
    EXPECT_EQ(sorted, sorted_words(given));
  }
}

TEST(PublishedSort, LeavesNoWordsAlone) {
  std::string sorted;
  EXPECT_EQ(PublishedSort(device(), {}).sort({{.count = 0}, ""}, sorted).without_start(), 0);
}

TEST(PublishedSort, TellsTheStagesApart) {
  const WordSet set = random_words({.count = 100000}, 5, 1);
  std::string sorted(set.text.size(), '?');
  const SortStages stages = PublishedSort(device(), {}).sort(set, sorted);
  for (const double seconds : {stages.transfer, stages.extra, stages.counting, stages.transformation,
                               stages.distribution, stages.back}) {
    EXPECT_GT(seconds, 0);
  }
  EXPECT_DOUBLE_EQ(stages.without_start(),
                   stages.extra + stages.counting + stages.transformation + stages.distribution);
}

TEST(PublishedSort, SaysWhatADeviceLacks) {
  DeviceInfo small;
  small.max_work_group = 256;
  small.memory = 4'000'000'000;
  small.max_allocation = 2'000'000'000;
  EXPECT_EQ(PublishedSort::lacking(small, {.group = 384}, {.count = 1}),
            "needs 384 work-items in a work-group; the device takes 256");
  EXPECT_EQ(PublishedSort::lacking(small, {.group = 256}, {.count = 1, .length = 32}),
            "needs a bucket for each of 4^32 words");
  EXPECT_EQ(PublishedSort::lacking(small, {.group = 256}, {.count = 153'600'000}),
            "needs 1,536,000,000 bytes in one buffer; the device can give 1,000,000,000");
  EXPECT_EQ(PublishedSort::lacking(small, {.group = 256}, {.count = 38'400'000}), std::nullopt);
}

TEST(TodaySort, EqualsThePlainReference) {
  SortKernels kernels(device());
  std::vector<WordShape> all = shapes();
  all.push_back({.count = 3001, .length = 100, .shared = 90});
  all.push_back({.count = 301, .length = 1000, .shared = 998});
  for (const WordShape& shape : all) {
    const WordSet set = random_words(shape, 9, 1);
    const std::string expected = sorted_words(set);
    EXPECT_TRUE(sort_today_on_host(set, 2) == expected) << shape.count << " of " << shape.length;
    std::string sorted(set.text.size(), '?');
    const TodaySeconds seconds = sort_today_on(kernels, set, sorted);
    EXPECT_TRUE(sorted == expected) << shape.count << " of " << shape.length;
    EXPECT_GT(seconds.kernels, 0);
    EXPECT_GE(seconds.kernels, seconds.counting + seconds.scan + seconds.writing - 1e-9);
  }
}

TEST(TodaySort, SaysWhatADeviceLacks) {
  const WordSet set = random_words({.count = 100000, .length = 32}, 1, 1);
  DeviceInfo small;
  small.memory = small.max_allocation = 8'000'000;
  EXPECT_EQ(lacking_today(small, set), "needs 11,100,000 bytes of memory; the device has 8,000,000");
  small.memory = 13'000'000;
  EXPECT_EQ(lacking_today(small, set), "needs 3,300,000 bytes in one buffer; the device can give 3,250,000");
  small.memory = 64'000'000;
  EXPECT_EQ(lacking_today(small, set), std::nullopt);
}

}  // namespace
}  // namespace gpuhmm::experiment::sorting
