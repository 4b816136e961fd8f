// Tables of the residue alphabets.
#include "gpuhmm/alphabet.hpp"

#include <cctype>
#include <utility>

namespace gpuhmm {

namespace {

using Degenerate = std::pair<char, std::string_view>;

constexpr std::string_view kAminoLetters = "ACDEFGHIKLMNPQRSTVWYUBZX";
constexpr Degenerate kAminoDegenerate[] = {
    {'U', "S"}, {'B', "ND"}, {'Z', "QE"}, {'X', "ACDEFGHIKLMNPQRSTVWY"}};

// U and O stand for the residues they derive from; the stop and the gap stand for no residue.
constexpr std::string_view kProteinLetters = "ACDEFGHIKLMNPQRSTVWYUOBZJ*-X";
constexpr Degenerate kProteinDegenerate[] = {
    {'U', "C"},  {'O', "K"}, {'B', "ND"}, {'Z', "QE"},
    {'J', "IL"}, {'*', ""},  {'-', ""},   {'X', "ACDEFGHIKLMNPQRSTVWY"}};

constexpr std::string_view kNucleicLetters = "ACGTUNRYMKSWHBVDX";
constexpr Degenerate kNucleicDegenerate[] = {
    {'U', "T"},  {'N', "ACGT"}, {'R', "AG"},  {'Y', "CT"},  {'M', "AC"},  {'K', "GT"},  {'S', "CG"},
    {'W', "AT"}, {'H', "ACT"},  {'B', "CGT"}, {'V', "ACG"}, {'D', "AGT"}, {'X', "ACGT"}};

}  // namespace

const Alphabet& Alphabet::get(AlphabetKind kind) {
  static const Alphabet amino(AlphabetKind::Amino);
  static const Alphabet nucleic(AlphabetKind::Nucleic);
  static const Alphabet letters(AlphabetKind::AminoLetters);
  if (kind == AlphabetKind::AminoLetters) return letters;
  return kind == AlphabetKind::Amino ? amino : nucleic;
}

Alphabet::Alphabet(AlphabetKind kind)
    : kind_(kind),
      size_(kind == AlphabetKind::Nucleic ? 4 : 20),
      letters_(kind == AlphabetKind::Amino     ? kAminoLetters
               : kind == AlphabetKind::Nucleic ? kNucleicLetters
                                               : kProteinLetters) {
  codes_.fill(unknown());
  for (std::size_t code = 0; code < letters_.size(); ++code) {
    codes_[static_cast<unsigned char>(letters_[code])] = static_cast<std::uint8_t>(code);
    codes_[static_cast<unsigned char>(std::tolower(letters_[code]))] = static_cast<std::uint8_t>(code);
    if (code < static_cast<std::size_t>(size_)) members_[code] = 1U << code;
  }
  const auto add = [this](const Degenerate& entry) {
    std::uint32_t bits = 0;
    for (const char residue : entry.second) bits |= 1U << code(residue);
    members_[code(entry.first)] = bits;
  };
  if (kind == AlphabetKind::Amino) {
    for (const Degenerate& entry : kAminoDegenerate) add(entry);
  } else if (kind == AlphabetKind::AminoLetters) {
    for (const Degenerate& entry : kProteinDegenerate) add(entry);
  } else {
    for (const Degenerate& entry : kNucleicDegenerate) add(entry);
  }
}

}  // namespace gpuhmm
