// Turns the characters of sequence lines into residue codes in bulk.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gpuhmm/alphabet.hpp"

namespace gpuhmm {

/// A table from characters to the residue codes of an alphabet.
class Digitiser {
 public:
  /// White space and the characters of `skipped` are left out; all others get their code of the alphabet.
  Digitiser(const Alphabet& alphabet, std::string_view skipped);

  /// From now on `from` is read as `to`.
  void map(char from, char to) {
    table_[static_cast<unsigned char>(from)] = table_[static_cast<unsigned char>(to)];
  }

  /// Appends the codes of `text`; false if it has a zero byte.
  bool append(std::string_view text, std::vector<std::uint8_t>& codes) const;

 private:
  std::array<std::uint8_t, 256> table_;
};

}  // namespace gpuhmm
