// Tables of the residue alphabets.
#include "gpuhmm/alphabet.hpp"

#include <cctype>
#include <span>
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

// HMMER3's: the gap, `*` and `~` stand for no residue.
constexpr std::string_view kHmmer3AminoLetters = "ACDEFGHIKLMNPQRSTVWY-BJZOUX*~";
constexpr Degenerate kHmmer3AminoDegenerate[] = {{'B', "DN"}, {'J', "IL"}, {'Z', "EQ"},
                                                 {'O', "K"},  {'U', "C"},  {'X', "ACDEFGHIKLMNPQRSTVWY"}};
constexpr std::string_view kHmmer3DnaLetters = "ACGT-RYMKSWHBVDN*~", kHmmer3RnaLetters = "ACGU-RYMKSWHBVDN*~";
constexpr Degenerate kHmmer3DnaDegenerate[] = {{'R', "AG"},  {'Y', "CT"},  {'M', "AC"},  {'K', "GT"},
                                               {'S', "CG"},  {'W', "AT"},  {'H', "ACT"}, {'B', "CGT"},
                                               {'V', "ACG"}, {'D', "AGT"}, {'N', "ACGT"}};
constexpr Degenerate kHmmer3RnaDegenerate[] = {{'R', "AG"},  {'Y', "CU"},  {'M', "AC"},  {'K', "GU"},
                                               {'S', "CG"},  {'W', "AU"},  {'H', "ACU"}, {'B', "CGU"},
                                               {'V', "ACG"}, {'D', "AGU"}, {'N', "ACGU"}};
constexpr std::pair<char, char> kAminoSynonyms[] = {{'_', '-'}, {'.', '-'}};
constexpr std::pair<char, char> kDnaSynonyms[] = {{'_', '-'}, {'.', '-'}, {'U', 'T'}, {'X', 'N'}, {'I', 'A'}};
constexpr std::pair<char, char> kRnaSynonyms[] = {{'_', '-'}, {'.', '-'}, {'T', 'U'}, {'X', 'N'}, {'I', 'A'}};

}  // namespace

struct Alphabet::Definition {
  int size;
  std::string_view letters;
  std::span<const Degenerate> degenerate;
  std::span<const std::pair<char, char>> synonyms = {};  // a character, and the letter it is read as
};

const Alphabet& Alphabet::get(AlphabetKind kind) {
  static const Alphabet all[] = {
      {AlphabetKind::Amino, {20, kAminoLetters, kAminoDegenerate}},
      {AlphabetKind::Nucleic, {4, kNucleicLetters, kNucleicDegenerate}},
      {AlphabetKind::AminoLetters, {20, kProteinLetters, kProteinDegenerate}},
      {AlphabetKind::Hmmer3Amino, {20, kHmmer3AminoLetters, kHmmer3AminoDegenerate, kAminoSynonyms}},
      {AlphabetKind::Hmmer3Dna, {4, kHmmer3DnaLetters, kHmmer3DnaDegenerate, kDnaSynonyms}},
      {AlphabetKind::Hmmer3Rna, {4, kHmmer3RnaLetters, kHmmer3RnaDegenerate, kRnaSynonyms}}};
  return all[static_cast<std::size_t>(kind)];
}

Alphabet::Alphabet(AlphabetKind kind, const Definition& definition)
    : kind_(kind), size_(definition.size), letters_(definition.letters) {
  codes_.fill(is_hmmer3() ? kIllegal : unknown());
  const auto read_as = [this](char character, std::uint8_t code) {
    codes_[static_cast<unsigned char>(character)] = code;
    codes_[static_cast<unsigned char>(std::tolower(character))] = code;
  };
  for (std::size_t code = 0; code < letters_.size(); ++code) {
    read_as(letters_[code], static_cast<std::uint8_t>(code));
    if (code < static_cast<std::size_t>(size_)) members_[code] = 1U << code;
  }
  for (const auto& [letter, residues] : definition.degenerate) {
    std::uint32_t bits = 0;
    for (const char residue : residues) bits |= 1U << code(residue);
    members_[code(letter)] = bits;
  }
  for (const auto& [character, letter] : definition.synonyms) read_as(character, code(letter));
}

std::string_view Alphabet::name() const {
  switch (kind_) {
    case AlphabetKind::Nucleic:
      return "Nucleic";
    case AlphabetKind::Hmmer3Amino:
      return "amino";
    case AlphabetKind::Hmmer3Dna:
      return "DNA";
    case AlphabetKind::Hmmer3Rna:
      return "RNA";
    default:
      return "Amino";
  }
}

}  // namespace gpuhmm
