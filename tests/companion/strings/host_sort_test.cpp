// The host's sorts against the plain references: keys, strings, packed characters, k-mer keys.
#include <gtest/gtest.h>

#include <algorithm>

#include "companion/strings/radix_sort.hpp"
#include "companion/strings/reference.hpp"
#include "companion/strings/string_sort.hpp"
#include "random_strings.hpp"

namespace gpuhmm {
namespace {

TEST(CharacterPacking, KeepsTheOrderAndFindsTheEnd) {
  for (const std::string& alphabet :
       {std::string("a"), std::string("ab"), std::string("ACGT"), every_byte()}) {
    CharacterPacking::Seen seen{};
    for (const char c : alphabet) seen[static_cast<unsigned char>(c)] = true;
    const CharacterPacking packing(seen);
    EXPECT_LE(packing.bits() * packing.per_word(), 64U);
    EXPECT_GE((std::size_t{1} << packing.bits()) - 1, alphabet.size());
    Generator rng(1);
    for (int i = 0; i < 2000; ++i) {
      const std::string a = random_lines(rng, 1, alphabet, 10, 0, 9),
                        b = random_lines(rng, 1, alphabet, 10, 0, 9);
      const unsigned most = packing.per_word();
      const auto word_a = packing.word(a.data(), most), word_b = packing.word(b.data(), most);
      if (a.size() <= most && b.size() <= most) {
        const std::string bare_a = a.substr(0, a.size() - 1), bare_b = b.substr(0, b.size() - 1);
        EXPECT_EQ(word_a < word_b, bare_a < bare_b);
        EXPECT_EQ(word_a == word_b, bare_a == bare_b);
      }
      EXPECT_EQ(packing.ends_in(word_a), a.size() <= most);
    }
  }
}

TEST(RadixSort, EqualsStdSort) {
  Generator rng(2);
  for (const std::size_t size : {0, 1, 2, 63, 64, 65, 1000, 4099, 200003}) {
    for (const std::uint64_t mask : {~std::uint64_t{0}, std::uint64_t{0x3ffff}, std::uint64_t{0},
                                     std::uint64_t{0xff00000000000001}, std::uint64_t{0x0000ff0000000000}}) {
      std::vector<std::uint64_t> keys(size), scratch(size);
      for (auto& key : keys) key = rng() & mask;
      std::vector<std::uint64_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      const auto sorted = radix_sort(keys, scratch, 3);
      EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end())) << size;
    }
  }
}

TEST(StringSort, EqualsTheReference) {
  Generator rng(3);
  for (const Shape& shape : shapes()) {
    const std::string text = random_lines(rng, shape);
    const StringSet set = strings_of(text);
    const SortedStrings expected = reference_sort(set);
    for (const unsigned threads : {1U, 3U}) {
      EXPECT_TRUE(sort_strings(set, threads) == expected) << shape.count << " of " << shape.alphabet.size();
    }
  }
}

TEST(StringSort, SortsEqualStringsAndNestedPrefixes) {
  std::string same, nested;
  for (int i = 0; i < 100000; ++i) same += "one prefix that all of the strings share, and nothing else\n";
  for (std::size_t i = 0; i < 1500; ++i) nested += std::string((i * 7919) % 1500, 'a') + "\n";
  for (const std::string& text : {same, nested}) {
    const StringSet set = strings_of(text);
    EXPECT_TRUE(sort_strings(set, 2) == reference_sort(set));
  }
}

TEST(StringSort, SortsOverlappingStringsOfLimitedLength) {
  Generator rng(4);
  for (const std::uint64_t limit : {1, 20, 21, 22, 33, 300}) {
    std::string text;
    const StringSet set = overlapping_strings(rng, limit, text);
    EXPECT_TRUE(sort_strings(set, 2) == reference_sort(set)) << limit;
  }
}

TEST(KmerCode, GivesTheKeysAndCanonicalKeysOfWords) {
  Generator rng(5);
  for (const KmerAlphabet alphabet : {KmerAlphabet::Nucleic, KmerAlphabet::Amino}) {
    const bool nucleic = alphabet == KmerAlphabet::Nucleic;
    const std::string letters =
        random_lines(rng, 40, nucleic ? "ACGTACGTACGTacgtuUN" : "ACDEFGHIKLMNPQRSTVWYacxBX*", 60, 0, 9);
    for (unsigned k = 1; k <= KmerCode::longest(alphabet); ++k) {
      const KmerCode code(alphabet, k);
      for (const bool canonical : {false, true}) {
        if (canonical && !nucleic) continue;
        std::map<std::string, std::uint64_t> counts;
        std::map<std::uint64_t, std::string> ordered;
        const std::size_t middle = letters.size() / 2;
        const auto take = [&](std::uint64_t key) {
          const std::uint64_t chosen = canonical ? code.canonical(key) : key;
          std::string word;
          code.append_word(chosen, word);
          ++counts[word];
          ordered[chosen] = word;
        };
        code.for_each_key(letters, 0, middle, take);
        code.for_each_key(letters, middle, letters.size(), take);
        EXPECT_EQ(counts, reference_kmers(letters, alphabet, k, canonical)) << k;
        std::vector<std::string> words;
        for (const auto& [key, word] : ordered) words.push_back(word);
        EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
      }
    }
  }
}

}  // namespace
}  // namespace gpuhmm
