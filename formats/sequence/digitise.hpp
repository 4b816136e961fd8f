// The loop of Digitiser::append.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpuhmm {

/// Codes of characters: those of residues are below 0x40. Aligned for vectors.
struct alignas(16) CharacterCodes : std::array<std::uint8_t, 256> {};

constexpr std::uint8_t kSkippedCode = 0x40;  ///< of characters that are left out
constexpr std::uint8_t kIllegalCode = 0x80;  ///< a bit in the codes of illegal characters

/// How many codes were written, and whether all characters were legal.
struct Digitised {
  std::size_t count;
  bool legal;
};

/// Writes the codes of the residues of `text` to `out`, which has room for as many codes as `text` has
/// characters.
Digitised digitise(const CharacterCodes& table, std::string_view text, std::uint8_t* out);

}  // namespace gpuhmm
