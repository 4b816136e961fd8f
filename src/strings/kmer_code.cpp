// Tables of letters; see the header.
#include "strings/kmer_code.hpp"

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
  }
}

void KmerCode::append_word(std::uint64_t key, std::string& to) const {
  const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
  for (unsigned shift = key_bits(); shift > 0;) {
    shift -= bits_;
    to += letters_[(key >> shift) & mask];
  }
}

}  // namespace gpuhmm
