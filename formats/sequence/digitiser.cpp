// Converts characters to residue codes by table lookup.
#include "formats/sequence/digitiser.hpp"

#include <algorithm>
#include <array>

#include "formats/sequence/text.hpp"

namespace gpuhmm {

namespace {

constexpr std::uint8_t kSkipped = 0x40;  // above all codes
constexpr std::uint8_t kIllegal = 0x80;  // likewise; a bit of Alphabet::kIllegal
static_assert((Alphabet::kIllegal & kIllegal) != 0 && Alphabet::kIllegal >= kSkipped);

}  // namespace

Digitiser::Digitiser(const Alphabet& alphabet, std::string_view skipped) : table_(alphabet.codes()) {
  const std::string_view blanks = alphabet.is_hmmer3() ? text::kHmmer3Blanks : text::kWhiteSpace;
  for (const std::string_view characters : {blanks, skipped}) {
    for (const char c : characters) table_[static_cast<unsigned char>(c)] = kSkipped;
  }
  table_[0] = kIllegal;
}

void Digitiser::refuse(char character) { table_[static_cast<unsigned char>(character)] = kIllegal; }

bool Digitiser::append(std::string_view text, std::vector<std::uint8_t>& codes) const {
  const std::size_t old = codes.size();
  codes.resize(old + text.size());
  std::uint8_t* out = codes.data() + old;
  std::uint8_t seen = 0;
  const auto append_each = [&](std::string_view characters) {
    for (const char c : characters) {
      const std::uint8_t code = table_[static_cast<unsigned char>(c)];
      *out = code;
      out += code < kSkipped ? 1 : 0;
      seen |= code;
    }
  };
  // Most characters are residues: where eight are, the places of their codes are known beforehand.
  constexpr std::size_t kTogether = 8;
  std::size_t place = 0;
  for (; place + kTogether <= text.size(); place += kTogether) {
    const std::string_view some = text.substr(place, kTogether);
    std::array<std::uint8_t, kTogether> together;
    std::uint8_t all = 0;
    for (std::size_t i = 0; i < kTogether; ++i) {
      together[i] = table_[static_cast<unsigned char>(some[i])];
      all |= together[i];
    }
    if (all < kSkipped) {
      out = std::ranges::copy(together, out).out;
    } else {
      append_each(some);
    }
  }
  append_each(text.substr(place));
  codes.resize(static_cast<std::size_t>(out - codes.data()));
  return (seen & kIllegal) == 0;
}

std::size_t Digitiser::find_illegal(std::string_view text) const {
  const auto illegal = [this](char c) { return (table_[static_cast<unsigned char>(c)] & kIllegal) != 0; };
  const auto found = std::ranges::find_if(text, illegal);
  return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

}  // namespace gpuhmm
