// Lines of one length over few letters: each is a number.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "companion/strings/packing.hpp"

namespace gpuhmm {

/// Lines of `length` letters, each with its end. A line's number is that of its letters' codes, which count
/// from 0 in the order of the letters; so the order of the numbers is that of the lines.
struct EqualLines {
  std::string_view text;
  unsigned length = 0;  ///< at least 1
  unsigned bits = 1;    ///< of a letter
  std::array<std::uint8_t, 256> codes{};
  std::array<char, 256> letters{};

  /// `seen`: the letters that occur.
  EqualLines(std::string_view lines, unsigned line_length, const CharacterPacking::Seen& seen)
      : text(lines), length(line_length) {
    unsigned next = 0;
    for (unsigned c = 0; c < 256; ++c) {
      if (!seen[c] || static_cast<char>(c) == kStringEnd) continue;
      codes[c] = static_cast<std::uint8_t>(next);
      letters[next++] = static_cast<char>(c);
    }
    bits = next < 2 ? 1 : static_cast<unsigned>(std::bit_width(next - 1));
  }

  std::size_t lines() const { return text.size() / (length + 1); }
  /// Bits of a line's number; word() and unpack() are for at most 64.
  unsigned word_bits() const { return bits * length; }
  std::uint64_t word(const char* line) const {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < length; ++i) word = word << bits | codes[static_cast<unsigned char>(line[i])];
    return word;
  }
  /// Writes the letters of a line to `line`.
  void unpack(std::uint64_t word, char* line) const {
    for (unsigned i = length; i > 0; word >>= bits) line[--i] = letters[word & ((1U << bits) - 1)];
  }
};

}  // namespace gpuhmm
