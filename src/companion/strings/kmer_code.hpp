// k-mers as 64-bit keys whose order is that of the words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuhmm {

enum class KmerAlphabet : std::uint8_t { Nucleic, Amino };

/// Codes of the letters A C G T (U counts as T; 2 bits) or of the 20 amino acids (5 bits) in upper or lower
/// case. A window with any other letter is no k-mer.
class KmerCode {
 public:
  /// For words of `k` letters, at least 1. `uracil`: T is written U.
  KmerCode(KmerAlphabet alphabet, unsigned k, bool uracil = false);

  /// The most letters that a key holds: 32 or 12.
  static unsigned longest(KmerAlphabet alphabet) { return alphabet == KmerAlphabet::Nucleic ? 32 : 12; }

  KmerAlphabet alphabet() const { return alphabet_; }
  unsigned k() const { return k_; }
  unsigned letter_bits() const { return bits_; }
  /// Bits of a key, the low ones: k * letter_bits(), at most 64.
  unsigned key_bits() const { return k_ * bits_; }

  static constexpr std::uint8_t kNone = 0xff;
  std::uint8_t letter_code(char letter) const { return codes_[static_cast<unsigned char>(letter)]; }
  char letter(std::uint64_t code) const { return letters_[code]; }

  /// Calls take(key) for every window of k letters of the alphabet that starts in [first, last) of `letters`
  /// (and ends anywhere in it), in order.
  template <class Take>
  void for_each_key(std::string_view letters, std::size_t first, std::size_t last, const Take& take) const {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - key_bits());
    const std::size_t end = last + k_ - 1 < letters.size() ? last + k_ - 1 : letters.size();
    std::uint64_t key = 0;
    unsigned known = 0;
    for (std::size_t i = first; i < end; ++i) {
      const std::uint8_t code = letter_code(letters[i]);
      if (code == kNone) {
        known = 0;
        continue;
      }
      key = ((key << bits_) | code) & mask;
      if (++known >= k_) {
        known = k_;
        take(key);
      }
    }
  }
  /// The smaller of a key and that of its reverse complement. Only for nucleic letters.
  std::uint64_t canonical(std::uint64_t key) const {
    constexpr std::uint64_t kPairs = 0x3333333333333333, kNibbles = 0x0f0f0f0f0f0f0f0f;
    std::uint64_t reverse = ~key;
    reverse = ((reverse >> 2) & kPairs) | ((reverse & kPairs) << 2);
    reverse = ((reverse >> 4) & kNibbles) | ((reverse & kNibbles) << 4);
    reverse = __builtin_bswap64(reverse) >> (64 - key_bits());
    return reverse < key ? reverse : key;
  }

  /// Appends the word of a key.
  void append_word(std::uint64_t key, std::string& to) const;

 private:
  KmerAlphabet alphabet_;
  unsigned k_, bits_;
  std::array<std::uint8_t, 256> codes_;
  std::string letters_;
  std::array<std::array<char, 4>, 256> four_letters_;  // of 8 bits, nucleic
};

}  // namespace gpuhmm
