// Turns the characters of sequence lines into residue codes in bulk.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/sequence/digitise.hpp"
#include "gpuhmm/alphabet.hpp"

namespace gpuhmm {

/// A table from characters to the residue codes of an alphabet.
class Digitiser {
 public:
  /// White space and the characters of `skipped` are left out; all others get their code of the alphabet. For
  /// HMMER3's alphabets vertical tabs and form feeds are no white space.
  Digitiser(const Alphabet& alphabet, std::string_view skipped);

  /// From now on `from` is read as `to`.
  void map(char from, char to) {
    table_[static_cast<unsigned char>(from)] = table_[static_cast<unsigned char>(to)];
  }

  /// From now on `character` is illegal.
  void refuse(char character);
  /// Appends the codes of `text`; false if it has a zero byte or another illegal character.
  bool append(std::string_view text, std::vector<std::uint8_t>& codes) const;
  /// The index of the first illegal character of `text`; npos if there is none.
  std::size_t find_illegal(std::string_view text) const;

 private:
  CharacterCodes table_;
};

}  // namespace gpuhmm
