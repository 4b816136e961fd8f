// Random words to be sorted: the publication's sets, and others of the same kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpuhmm::experiment::sorting {

/// What a set of words is like. Words are uniform over all that begin with the shared prefix.
struct WordShape {
  std::size_t count = 0;          ///< words, fewer than 2^32
  unsigned length = 9;            ///< letters of each word, at least 1
  unsigned shared = 0;            ///< letters at the beginning that all words share
  std::string alphabet = "acgt";  ///< in ascending order

  auto operator<=>(const WordShape&) const = default;
  /// Bytes of the text: each word has its end behind it.
  std::size_t bytes() const { return count * (length + std::size_t{1}); }
};

/// Words one behind the other, each ended by kStringEnd.
struct WordSet {
  WordShape shape;
  std::string text;

  const char* word(std::size_t i) const { return text.data() + i * (shape.length + std::size_t{1}); }
};

/// The set of this shape that `seed` gives, whatever the number of threads.
WordSet random_words(const WordShape& shape, std::uint32_t seed, unsigned threads);

/// The plain reference: the words of the set in order, text to text. Words of at most 12 letters of 4 are
/// counted one by one, others compared as whole strings.
std::string sorted_words(const WordSet& set);

/// The number after `number` of a sequence that looks random (SplitMix64: Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t number);

}  // namespace gpuhmm::experiment::sorting
