// Characters packed into 64-bit words whose order is the order of the strings.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gpuhmm {

/// Ends every string of a text; no string contains it.
constexpr char kStringEnd = '\n';

/// A table from the characters that occur to codes 1, 2, ... in the order of unsigned bytes; 0 is the end of
/// the string, so that a string comes before those it begins.
class CharacterPacking {
 public:
  using Seen = std::array<bool, 256>;

  /// For strings of the characters `seen`, which may include kStringEnd.
  explicit CharacterPacking(const Seen& seen);
  /// For strings of any characters.
  CharacterPacking() : CharacterPacking(everything()) {}

  unsigned bits() const { return bits_; }          ///< of a character, 1 to 8
  unsigned per_word() const { return per_word_; }  ///< characters of a word
  std::uint8_t code(char c) const { return codes_[static_cast<unsigned char>(c)]; }
  char character(std::uint64_t code) const { return characters_[code]; }

  /// The first characters of the string at `text`, at most `most` (and per_word()), left-aligned in bits() *
  /// per_word() bits.
  std::uint64_t word(const char* text, unsigned most) const {
    std::uint64_t word = 0;
    unsigned taken = 0;
    for (; taken < most; ++taken) {
      const std::uint8_t next = code(text[taken]);
      if (next == 0) break;
      word = (word << bits_) | next;
    }
    return taken == 0 ? 0 : word << (bits_ * (per_word_ - taken));
  }
  /// Writes the characters of a word before the end to `to`, which holds per_word(). Returns their number.
  unsigned unpack(std::uint64_t word, char* to) const {
    unsigned count = 0;
    for (unsigned shift = bits_ * per_word_; shift > 0; ++count) {
      shift -= bits_;
      const std::uint64_t next = (word >> shift) & mask_;
      if (next == 0) break;
      to[count] = characters_[next];
    }
    return count;
  }
  /// True if the string ends in the word: its last character is the end.
  bool ends_in(std::uint64_t word) const { return (word & mask_) == 0; }

 private:
  static Seen everything();

  std::array<std::uint8_t, 256> codes_{};
  std::array<char, 256> characters_{};
  unsigned bits_ = 1, per_word_ = 64;
  std::uint64_t mask_ = 1;
};

}  // namespace gpuhmm
