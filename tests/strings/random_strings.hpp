// Random sets of strings: few or many characters, shared prefixes, repeats.
#pragma once

#include <random>
#include <string>

#include "strings/string_set.hpp"

namespace gpuhmm {

using Generator = std::mt19937_64;

inline std::size_t below(Generator& rng, std::size_t n) {
  return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng);
}

/// `count` strings of up to `longest` characters out of `alphabet`, behind one of a few prefixes of `prefix`
/// characters; one in `repeats` is a copy of an earlier one.
inline std::string random_lines(Generator& rng, std::size_t count, const std::string& alphabet, std::size_t longest,
                                std::size_t prefix, std::size_t repeats) {
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

/// The strings of a text of ended strings.
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

inline bool operator==(const SortedString& a, const SortedString& b) {
  return a.start() == b.start() && a.repeated() == b.repeated();
}

}  // namespace gpuhmm
