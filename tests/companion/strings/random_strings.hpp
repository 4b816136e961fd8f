// Random sets of strings: few or many characters, shared prefixes, repeats.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "companion/strings/string_set.hpp"

namespace gpuhmm {

using Generator = std::mt19937_64;

inline std::size_t below(Generator& rng, std::size_t n) {
  return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng);
}

/// `count` strings of up to `longest` characters out of `alphabet`, behind one of a few prefixes of `prefix`
/// characters; one in `repeats` is a copy of an earlier one.
inline std::string random_lines(Generator& rng, std::size_t count, const std::string& alphabet,
                                std::size_t longest, std::size_t prefix, std::size_t repeats) {
  const auto draw = [&](std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += alphabet[below(rng, alphabet.size())];
    return text;
  };
  const std::vector<std::string> prefixes = {draw(prefix), draw(prefix / 2), ""};
  std::vector<std::string> lines;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && below(rng, repeats) == 0) {
      lines.push_back(lines[below(rng, i)]);
    } else {
      lines.push_back(prefixes[below(rng, prefix == 0 ? 1 : 3)] + draw(below(rng, longest + 1)));
    }
    text += lines.back() + kStringEnd;
  }
  return text;
}

/// The strings of a text, each ended by kStringEnd.
inline StringSet strings_of(std::string_view text) {
  StringSet set;
  set.text = text;
  CharacterPacking::Seen seen{};
  std::uint64_t start = 0;
  for (std::uint64_t i = 0; i < text.size(); ++i) {
    seen[static_cast<unsigned char>(text[i])] = true;
    if (text[i] != kStringEnd) continue;
    set.starts.push_back(start);
    start = i + 1;
  }
  set.packing = CharacterPacking(seen);
  return set;
}

inline std::string every_byte() {
  std::string all;
  for (int c = 0; c < 256; ++c) {
    if (static_cast<char>(c) != kStringEnd) all += static_cast<char>(c);
  }
  return all;
}

/// A kind of random lines; the arguments of random_lines.
struct Shape {
  std::size_t count;
  std::string alphabet;
  std::size_t longest, prefix, repeats;
};

inline std::string random_lines(Generator& rng, const Shape& shape) {
  return random_lines(rng, shape.count, shape.alphabet, shape.longest, shape.prefix, shape.repeats);
}

/// Few and many strings, letters, shared prefixes and repeats.
inline std::vector<Shape> shapes() {
  return {{0, "a", 1, 0, 9},
          {1, "a", 5, 0, 9},
          {500, "a", 300, 0, 9},
          {3000, "ACGT", 9, 0, 3},
          {3000, "ACGT", 60, 64, 5},
          {800, "ab", 40, 5000, 2},
          {5000, every_byte(), 3, 0, 9},
          {2000, every_byte(), 30, 20, 4},
          {150000, "ACGT", 12, 40, 4},
          {100000, "xyz", 2, 0, 9},
          {70000, "ACGT", 20, 0, 9}};
}

/// All strings of `limit` letters in a random text, which is put in `text`.
inline StringSet overlapping_strings(Generator& rng, std::uint64_t limit, std::string& text) {
  text = random_lines(rng, 1, "ACGT", 3000, 0, 9) + std::string(400, 'A') + kStringEnd;
  StringSet set = strings_of(text);
  text.pop_back();  // the last string is ended by the limit alone
  set.text = text;
  set.limit = limit;
  set.starts.clear();
  for (std::uint64_t i = 0; i + limit <= text.size(); ++i) {
    if (text.substr(i, limit).find(kStringEnd) == std::string::npos) set.starts.push_back(i);
  }
  return set;
}

inline bool operator==(const SortedString& a, const SortedString& b) {
  return a.start() == b.start() && a.repeated() == b.repeated();
}

}  // namespace gpuhmm
