// Converts characters to residue codes by table lookup.
#include "formats/sequence/digitiser.hpp"

#include "formats/sequence/text.hpp"

namespace gpuhmm {

namespace {

constexpr std::uint8_t kSkipped = 0x40;   // above all codes
constexpr std::uint8_t kZeroByte = 0x80;  // likewise

}  // namespace

Digitiser::Digitiser(const Alphabet& alphabet, std::string_view skipped) : table_(alphabet.codes()) {
  for (const std::string_view characters : {text::kWhiteSpace, skipped}) {
    for (const char c : characters) table_[static_cast<unsigned char>(c)] = kSkipped;
  }
  table_[0] = kZeroByte;
}

bool Digitiser::append(std::string_view text, std::vector<std::uint8_t>& codes) const {
  const std::size_t old = codes.size();
  codes.resize(old + text.size());
  std::uint8_t* out = codes.data() + old;
  std::uint8_t seen = 0;
  for (const char c : text) {
    const std::uint8_t code = table_[static_cast<unsigned char>(c)];
    *out = code;
    out += code < kSkipped ? 1 : 0;
    seen |= code;
  }
  codes.resize(static_cast<std::size_t>(out - codes.data()));
  return (seen & kZeroByte) == 0;
}

}  // namespace gpuhmm
