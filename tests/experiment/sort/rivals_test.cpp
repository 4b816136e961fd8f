// The rivals against the plain reference.
#include <gtest/gtest.h>

#include "companion/strings/random_strings.hpp"
#include "companion/strings/reference.hpp"
#include "experiment/sort/gnu_sort.hpp"
#include "experiment/sort/multikey_quicksort.hpp"
#include "experiment/sort/word_sets.hpp"

namespace gpuhmm::experiment::sorting {
namespace {

std::string string_at(const char* start) {
  return std::string(start, std::char_traits<char>::find(start, std::string::npos, kStringEnd));
}

TEST(MultikeyQuicksort, EqualsThePlainReference) {
  Generator rng(8);
  for (const Shape& shape : shapes()) {
    const std::string text = random_lines(rng, shape);
    const StringSet set = strings_of(text);
    std::vector<const char*> pointers;
    for (const std::uint64_t start : set.starts) pointers.push_back(text.data() + start);
    multikey_quicksort(pointers);
    const SortedStrings expected = reference_sort(set);
    ASSERT_EQ(pointers.size(), expected.size());
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      ASSERT_EQ(string_at(pointers[i]), string_at(text.data() + expected[i].start())) << i;
    }
  }
}

TEST(GnuSortProcess, EqualsThePlainReference) {
  if (!has_gnu_sort()) GTEST_SKIP() << "no GNU sort here";
  for (const WordShape& shape :
       {WordShape{.count = 20001}, WordShape{.count = 501, .length = 100, .shared = 70},
        WordShape{.count = 3001, .length = 4, .alphabet = "Aab\xff"}}) {
    const WordSet set = random_words(shape, 4, 1);
    const GnuSort sort(set.text, 2);
    EXPECT_GT(sort.run(), 0);
    EXPECT_TRUE(sort.output() == sorted_words(set)) << shape.length;
  }
}

}  // namespace
}  // namespace gpuhmm::experiment::sorting
