// The residue alphabets of HMMER 2.3.2 (docs/spec/alphabet-sequences.md, 2.1) and HMMER 3.3.2
// (docs/spec/hmmer3/profile-and-configuration.md, 3) with their degenerate codes, and one that keeps all
// letters of proteins.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuhmm {

/// AminoLetters gives codes of their own to letters that Amino reads as X: J, O, the stop `*` and the gap
/// `-`. It is for work on the letters of proteins. HMMER2 profiles and prepared databases use Amino or
/// Nucleic, HMMER3 profiles the kinds with its name.
enum class AlphabetKind : std::uint8_t { Amino, Nucleic, AminoLetters, Hmmer3Amino, Hmmer3Dna, Hmmer3Rna };

/// Residue codes 0..K-1 are the plain residues, the others degenerate ones. The last code of HMMER2's
/// alphabets is X, which also stands for every character that is not in the alphabet. In HMMER3's, code K is
/// the gap, the last three are the code for any residue, `*` (no residue) and `~` (missing), and a character
/// that is not in the alphabet is illegal.
class Alphabet {
 public:
  /// The alphabet of a kind; the object lives as long as the program.
  static const Alphabet& get(AlphabetKind kind);

  AlphabetKind kind() const { return kind_; }
  /// What code() gives for characters that are illegal.
  static constexpr std::uint8_t kIllegal = 255;

  /// Number of plain residues: 20 or 4.
  int size() const { return size_; }
  /// Number of codes, degenerate ones included: 24, 17, 28, 29 or 18.
  int code_count() const { return static_cast<int>(letters_.size()); }
  /// Letters in code order.
  std::string_view letters() const { return letters_; }
  char letter(std::uint8_t code) const { return letters_[code]; }
  /// Code of any character, in upper or lower case; X, or kIllegal, for unknown ones.
  std::uint8_t code(char c) const { return codes_[static_cast<unsigned char>(c)]; }
  /// The codes of all 256 characters, for readers that digitise in bulk.
  const std::array<std::uint8_t, 256>& codes() const { return codes_; }
  /// Bit y is set if `code` stands for residue y; a plain residue stands for itself alone.
  std::uint32_t members(std::uint8_t code) const { return members_[code]; }
  /// Code of X; of HMMER3's alphabets that of any residue.
  std::uint8_t unknown() const { return static_cast<std::uint8_t>(letters_.size() - (is_hmmer3() ? 3 : 1)); }
  /// True for HMMER3's alphabets.
  bool is_hmmer3() const { return kind_ >= AlphabetKind::Hmmer3Amino; }
  /// The name in profile files: "Amino" or "Nucleic", of HMMER3's "amino", "DNA" or "RNA".
  std::string_view name() const;

 private:
  struct Definition;
  Alphabet(AlphabetKind kind, const Definition& definition);

  AlphabetKind kind_;
  int size_;
  std::string_view letters_;
  std::array<std::uint8_t, 256> codes_{};
  std::array<std::uint32_t, 32> members_{};
};

}  // namespace gpuhmm
