// Random words to sort: the publication's sets, and others of the same kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpuhmm::experiment::sorting {

/// The shape of a set of words. Words are uniform over all that begin with the shared prefix.
struct WordShape {
  std::size_t count = 0;          ///< words, fewer than 2^32
  unsigned length = 9;            ///< letters of each word, at least 1
  unsigned shared = 0;            ///< letters at the beginning that all words share
  std::string alphabet = "acgt";  ///< in ascending order

  auto operator<=>(const WordShape&) const = default;
  /// Bytes of the text, including the end of each word.
  std::size_t bytes() const { return count * (length + std::size_t{1}); }
};

/// Consecutive words, each followed by kStringEnd.
struct WordSet {
  WordShape shape;
  std::string text;

  const char* word(std::size_t i) const { return text.data() + i * (shape.length + std::size_t{1}); }
};

/// Draws a set of this shape; it depends on `seed`, not on the number of threads.
WordSet random_words(const WordShape& shape, std::uint32_t seed, unsigned threads);

/// The plain reference: the text with the words of the set in order. Counts words of at most 12 letters of an
/// alphabet of 4, and compares others as whole strings.
std::string sorted_words(const WordSet& set);

/// The number after `number` of a sequence that looks random (SplitMix64: Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t number);

}  // namespace gpuhmm::experiment::sorting
