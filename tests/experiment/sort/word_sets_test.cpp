// Sets of words: what they hold, and that the plain reference sorts them.
#include "experiment/sort/word_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "companion/strings/packing.hpp"

namespace gpuhmm::experiment::sorting {
namespace {

std::vector<std::string> words_of(const WordSet& set) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < set.shape.count; ++i) words.emplace_back(set.word(i), set.shape.length);
  return words;
}

TEST(WordSets, HaveTheShapeAskedFor) {
  const WordShape shape{.count = 5001, .length = 32, .shared = 13, .alphabet = "bdz"};
  const WordSet set = random_words(shape, 7, 2);
  ASSERT_EQ(set.text.size(), shape.bytes());
  const std::string prefix = set.text.substr(0, shape.shared);
  for (std::size_t i = 0; i < shape.count; ++i) {
    const std::string word(set.word(i), shape.length);
    EXPECT_TRUE(word.starts_with(prefix)) << word;
    EXPECT_EQ(word.find_first_not_of(shape.alphabet), std::string::npos) << word;
    EXPECT_EQ(set.word(i)[shape.length], kStringEnd);
  }
}

TEST(WordSets, DependOnTheSeedAndNotOnThreads) {
  const WordShape shape{.count = 40000, .shared = 2};
  EXPECT_EQ(random_words(shape, 1, 1).text, random_words(shape, 1, 3).text);
  EXPECT_NE(random_words(shape, 1, 1).text, random_words(shape, 2, 1).text);
}

TEST(WordSets, HoldAsManyDifferentWordsAsThePublications) {
  for (const auto& [shared, different] : {std::pair{1U, 65536U}, {4U, 1024U}, {8U, 4U}}) {
    const std::vector<std::string> words = words_of(random_words({.count = 400000, .shared = shared}, 1, 2));
    const std::size_t found = std::set<std::string>(words.begin(), words.end()).size();
    EXPECT_LE(found, different);
    EXPECT_GE(found, different * 0.99) << shared;
  }
}

TEST(WordSets, AreUniform) {
  constexpr std::size_t kWords = 100000;
  std::map<char, std::size_t> letters;
  for (const std::string& word : words_of(random_words({.count = kWords, .length = 5}, 3, 1))) {
    for (const char letter : word) ++letters[letter];
  }
  ASSERT_EQ(letters.size(), 4U);
  // five deviations of a binomial distribution
  for (const auto& [letter, count] : letters) EXPECT_NEAR(static_cast<double>(count), 125000, 1531) << letter;
}

TEST(WordSets, AreSortedByCountsAndByComparison) {
  for (const WordShape& shape :
       {WordShape{.count = 0}, WordShape{.count = 1}, WordShape{.count = 3001, .length = 3},
        WordShape{.count = 3001, .length = 12}, WordShape{.count = 3001, .length = 13, .shared = 12},
        WordShape{.count = 3001, .length = 2, .alphabet = "abcdefg"}}) {
    const WordSet set = random_words(shape, 11, 1);
    std::vector<std::string> words = words_of(set);
    std::sort(words.begin(), words.end());
    std::string expected;
    for (const std::string& word : words) expected += word + kStringEnd;
    EXPECT_EQ(sorted_words(set), expected) << shape.count << " of " << shape.length;
  }
}

}  // namespace
}  // namespace gpuhmm::experiment::sorting
