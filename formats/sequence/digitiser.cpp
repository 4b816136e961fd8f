// Converts characters to residue codes by table lookup.
#include "formats/sequence/digitiser.hpp"

#include <algorithm>

#include "formats/sequence/text.hpp"

namespace gpuhmm {

static_assert((Alphabet::kIllegal & kIllegalCode) != 0 && Alphabet::kIllegal >= kSkippedCode);

Digitiser::Digitiser(const Alphabet& alphabet, std::string_view skipped) : table_{alphabet.codes()} {
  const std::string_view blanks = alphabet.is_hmmer3() ? text::kHmmer3Blanks : text::kWhiteSpace;
  for (const std::string_view characters : {blanks, skipped}) {
    for (const char c : characters) table_[static_cast<unsigned char>(c)] = kSkippedCode;
  }
  table_[0] = kIllegalCode;
}

void Digitiser::refuse(char character) { table_[static_cast<unsigned char>(character)] = kIllegalCode; }

bool Digitiser::append(std::string_view text, std::vector<std::uint8_t>& codes) const {
  const std::size_t old = codes.size();
  codes.resize(old + text.size());
  const Digitised digitised = digitise(table_, text, codes.data() + old);
  codes.resize(old + digitised.count);
  return digitised.legal;
}

std::size_t Digitiser::find_illegal(std::string_view text) const {
  const auto illegal = [this](char c) { return (table_[static_cast<unsigned char>(c)] & kIllegalCode) != 0; };
  const auto found = std::ranges::find_if(text, illegal);
  return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

}  // namespace gpuhmm
