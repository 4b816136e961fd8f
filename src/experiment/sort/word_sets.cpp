// Draws words letter by letter, and sorts them by plain counting.
#include "experiment/sort/word_sets.hpp"

#include <vector>

#include "companion/strings/reference.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::experiment::sorting {

namespace {

constexpr unsigned kCountedLetters = 12;
constexpr std::size_t kBlock = std::size_t{1} << 14;  // words that a thread draws at a time

// Writes `count` random letters.
void draw(std::uint64_t state, const std::string& alphabet, unsigned count, char* letters) {
  constexpr unsigned kBits = 16, kLettersOfNumber = 64 / kBits;
  std::uint64_t number = 0;
  for (unsigned i = 0; i < count; ++i, number >>= kBits) {
    if (i % kLettersOfNumber == 0) number = state = mixed(state);
    letters[i] = alphabet[((number & 0xffff) * alphabet.size()) >> kBits];
  }
}

std::size_t code_of(const char* word, const WordShape& shape) {
  std::size_t code = 0;
  for (unsigned i = 0; i < shape.length; ++i) code = code * 4 + shape.alphabet.find(word[i]);
  return code;
}

std::string counted(const WordSet& set) {
  const WordShape& shape = set.shape;
  std::vector<std::uint32_t> counts(std::size_t{1} << (2 * shape.length));
  for (std::size_t i = 0; i < shape.count; ++i) ++counts[code_of(set.word(i), shape)];
  std::string sorted, word(shape.length + std::size_t{1}, kStringEnd);
  sorted.reserve(shape.bytes());
  for (std::size_t code = 0; code < counts.size(); ++code) {
    for (unsigned i = 0; i < shape.length; ++i) {
      word[shape.length - 1 - i] = shape.alphabet[(code >> (2 * i)) & 3];
    }
    for (std::uint32_t i = 0; i < counts[code]; ++i) sorted += word;
  }
  return sorted;
}

std::string compared(const WordSet& set) {
  StringSet strings;
  strings.text = set.text;
  for (std::size_t i = 0; i < set.shape.count; ++i) {
    strings.starts.push_back(static_cast<std::uint64_t>(set.word(i) - set.text.data()));
  }
  std::string sorted;
  sorted.reserve(set.text.size());
  for (const SortedString& string : reference_sort(strings)) {
    sorted.append(set.text, string.start(), set.shape.length + std::size_t{1});
  }
  return sorted;
}

}  // namespace

std::uint64_t mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

WordSet random_words(const WordShape& shape, std::uint32_t seed, unsigned threads) {
  WordSet set{shape, std::string(shape.bytes(), kStringEnd)};
  const std::uint64_t start = mixed(seed);
  std::string prefix(shape.shared, ' ');
  draw(~start, shape.alphabet, shape.shared, prefix.data());
  parallel_for(threads, shape.count, kBlock, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      char* const word = set.text.data() + i * (shape.length + std::size_t{1});
      prefix.copy(word, prefix.size());
      draw(start + mixed(i), shape.alphabet, shape.length - shape.shared, word + shape.shared);
    }
  });
  return set;
}

std::string sorted_words(const WordSet& set) {
  const bool few = set.shape.alphabet.size() == 4 && set.shape.length <= kCountedLetters;
  return few ? counted(set) : compared(set);
}

}  // namespace gpuhmm::experiment::sorting
