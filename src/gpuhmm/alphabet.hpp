// The two residue alphabets of HMMER 2.3.2 with their degenerate codes (docs/spec/alphabet-sequences.md,
// 2.1), and one that keeps all letters of proteins.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuhmm {

/// AminoLetters gives codes of their own to letters that Amino reads as X: J, O, the stop `*` and the gap
/// `-`. It is for work on the letters of proteins; profiles and prepared databases use Amino or Nucleic.
enum class AlphabetKind : std::uint8_t { Amino, Nucleic, AminoLetters };

/// Residue codes 0..K-1 are the plain residues, K..K'-1 the degenerate ones; the last code is X, which also
/// stands for every character that is not in the alphabet.
class Alphabet {
 public:
  /// The alphabet of a kind; the object lives as long as the program.
  static const Alphabet& get(AlphabetKind kind);

  AlphabetKind kind() const { return kind_; }
  /// Number of plain residues: 20 or 4.
  int size() const { return size_; }
  /// Number of codes, degenerate ones included: 24, 17 or 28.
  int code_count() const { return static_cast<int>(letters_.size()); }
  /// Letters in code order.
  std::string_view letters() const { return letters_; }
  char letter(std::uint8_t code) const { return letters_[code]; }
  /// Code of any character, in upper or lower case; X for unknown ones.
  std::uint8_t code(char c) const { return codes_[static_cast<unsigned char>(c)]; }
  /// The codes of all 256 characters, for readers that digitise in bulk.
  const std::array<std::uint8_t, 256>& codes() const { return codes_; }
  /// Bit y is set if `code` stands for residue y; a plain residue stands for itself alone.
  std::uint32_t members(std::uint8_t code) const { return members_[code]; }
  /// Code of X.
  std::uint8_t unknown() const { return static_cast<std::uint8_t>(letters_.size() - 1); }
  /// "Amino" or "Nucleic", as in profile files.
  std::string_view name() const { return kind_ == AlphabetKind::Nucleic ? "Nucleic" : "Amino"; }

 private:
  explicit Alphabet(AlphabetKind kind);

  AlphabetKind kind_;
  int size_;
  std::string_view letters_;
  std::array<std::uint8_t, 256> codes_{};
  std::array<std::uint32_t, 32> members_{};
};

}  // namespace gpuhmm
