// Building the table.
#include "companion/strings/packing.hpp"

#include <algorithm>
#include <bit>

namespace gpuhmm {

CharacterPacking::CharacterPacking(const Seen& seen) {
  unsigned next = 1;
  for (unsigned c = 0; c < 256; ++c) {
    const char character = static_cast<char>(c);
    if (!seen[c] || character == kStringEnd) continue;
    codes_[c] = static_cast<std::uint8_t>(next);
    characters_[next++] = character;
  }
  // 255 characters and the end need 8 bits
  bits_ = std::max(1U, static_cast<unsigned>(std::bit_width(next - 1)));
  per_word_ = 64 / bits_;
  mask_ = (std::uint64_t{1} << bits_) - 1;
}

CharacterPacking::Seen CharacterPacking::everything() {
  Seen seen;
  seen.fill(true);
  return seen;
}

}  // namespace gpuhmm
