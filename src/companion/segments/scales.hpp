// Scales of amino acids and of nucleotides: the built-in ones, scales from text, and the integer scores that
// they give to residues.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/alphabet.hpp"
#include "util/decimal.hpp"

namespace gpuhmm {

/// The largest number of decimals in scales and shifts.
inline constexpr int kMostDecimals = 6;

/// Reads a number such as "-1.25", with at most kMostDecimals decimals and an absolute value below 10^6.
/// Throws std::invalid_argument with the reason for other texts.
Decimal parse_decimal(std::string_view text);

/// The text of a number with all its decimals: "-1.25".
std::string decimal_text(const Decimal& number);

/// A value for each residue of an alphabet, in its order: ACDEFGHIKLMNPQRSTVWY, or ACGT, which takes the
/// first four values. The values of amino acids are hydropathies; positive ones are hydrophobic.
struct ResidueScale {
  std::string name;
  std::string source;  // citation
  std::array<Decimal, 20> values;
  // Cut-offs; those of hydropathies separate membrane helices best on annotated proteins (docs/segments.md).
  Decimal shift, min_score;
  std::uint64_t min_length = 1;
  std::string unit;  // unit of the values; empty if they have none or it is unknown
  AlphabetKind alphabet = AlphabetKind::Amino;  // Amino or Nucleic
};

/// The built-in scales of an alphabet, Amino or Nucleic; the first is the default.
std::span<const ResidueScale> built_in_scales(AlphabetKind alphabet);
/// The built-in scale called `name`; nullptr if there is none.
const ResidueScale* find_scale(std::string_view name);

/// Reads a scale from text: lines of a letter and a number, or one AAindex entry (an `I` line of letter pairs
/// and two lines of ten numbers). It is a scale of nucleotides if all letters are A, C, G, T or U. Its
/// cut-offs are zero and its minimum length is 1. Throws std::invalid_argument, with the number of the line,
/// for other texts.
ResidueScale parse_scale(std::string_view text, const std::string& name);

/// Scores of residues, by code of an alphabet: the scale's value minus the shift, in units of 10^-decimals.
struct ResidueScores {
  int decimals = 0;
  std::array<std::int32_t, 32> scores{};
  std::array<bool, 32> ends_part{};  // `*` and `-`, which no segment contains
};

/// The scores of all letters of `alphabet`, which are read as letters of the scale's alphabet. A degenerate
/// letter scores the mean of the residues it stands for, rounded half away from zero. In proteins U scores as
/// C, O as K; in nucleic sequences U scores as T, and a letter that is no code the mean of all four. Throws
/// std::invalid_argument if a score exceeds 32 bits.
ResidueScores residue_scores(const ResidueScale& scale, const Decimal& shift, const Alphabet& alphabet);

}  // namespace gpuhmm
