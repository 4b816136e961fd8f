// Tables of letters.
#include "companion/strings/kmer_code.hpp"

#include <cstring>

namespace gpuhmm {

KmerCode::KmerCode(KmerAlphabet alphabet, unsigned k, bool uracil)
    : alphabet_(alphabet),
      k_(k),
      bits_(alphabet == KmerAlphabet::Nucleic ? 2 : 5),
      letters_(alphabet == KmerAlphabet::Amino ? "ACDEFGHIKLMNPQRSTVWY"
               : uracil                        ? "ACGU"
                                               : "ACGT") {
  codes_.fill(kNone);
  const auto set = [this](char letter, std::size_t code) {
    codes_[static_cast<unsigned char>(letter)] = static_cast<std::uint8_t>(code);
    codes_[static_cast<unsigned char>(letter - 'A' + 'a')] = static_cast<std::uint8_t>(code);
  };
  for (std::size_t code = 0; code < letters_.size(); ++code) set(letters_[code], code);
  if (alphabet == KmerAlphabet::Nucleic) {
    set('T', 3);
    set('U', 3);
    for (std::size_t bits = 0; bits < four_letters_.size(); ++bits) {
      for (std::size_t i = 0; i < 4; ++i) four_letters_[bits][i] = letters_[(bits >> (6 - 2 * i)) & 3];
    }
  }
}

void KmerCode::append_word(std::uint64_t key, std::string& to) const {
  const std::size_t start = to.size();
  to.resize(start + k_);
  char* letter = to.data() + start;
  unsigned shift = key_bits();
  if (alphabet_ == KmerAlphabet::Nucleic) {
    for (; shift >= 8; letter += 4) {
      shift -= 8;
      std::memcpy(letter, four_letters_[(key >> shift) & 0xff].data(), 4);
    }
  }
  const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
  while (shift > 0) {
    shift -= bits_;
    *letter++ = letters_[(key >> shift) & mask];
  }
}

}  // namespace gpuhmm
