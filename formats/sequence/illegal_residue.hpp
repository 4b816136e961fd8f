// The words for a character that is no residue in HMMER3's alphabets
// (docs/spec/hmmer3/profile-and-configuration.md, 4).
#pragma once

#include <cstdint>
#include <string>

namespace gpuhmm {

/// What is wrong, in our words.
inline std::string illegal_residue(char found) {
  constexpr const char* kHexadecimal = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(found);
  if (byte > ' ' && byte < 0x7f)
    return std::string("'") + found + "' is no residue of the profile's alphabet";
  return std::string("a byte 0x") + kHexadecimal[byte / 16] + kHexadecimal[byte % 16] +
         " among residues; expected letters";
}

/// HMMER3's line, with its number for the line.
inline std::string hmmer3_illegal_residue(char found, std::uint64_t line) {
  const std::string number = "Line " + std::to_string(line) + ": ";
  if (static_cast<unsigned char>(found) < 0x80)
    return number + "illegal character " + std::string(found != '\0', found);
  return number + "non-ASCII character " + found + " in sequence";
}

}  // namespace gpuhmm
