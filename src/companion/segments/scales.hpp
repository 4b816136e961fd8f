// Scales, a value for each amino acid or nucleotide: the built-in ones and scales from files, and the
// integers that sequences are scored with.
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

/// The most decimals that scales and shifts may have.
inline constexpr int kMostDecimals = 6;

/// Reads "-1.25"; at most kMostDecimals decimals and an absolute value below 10^6. Throws
/// std::invalid_argument that says what is wrong.
Decimal parse_decimal(std::string_view text);

/// As it was read: "-1.25".
std::string decimal_text(const Decimal& number);

/// A value for each plain residue in the order of Alphabet: ACDEFGHIKLMNPQRSTVWY, or ACGT, the first four
/// values. Of proteins it is the hydropathy, and positive is hydrophobic.
struct ResidueScale {
  std::string name;
  std::string source;  // citation
  std::array<Decimal, 20> values;
  // Of hydropathies what separates membrane helices best on annotated proteins (docs/segments.md).
  Decimal shift, min_score;
  std::uint64_t min_length = 1;
  std::string unit;                             // of the values; empty if they have none or it is not known
  AlphabetKind alphabet = AlphabetKind::Amino;  // Amino or Nucleic
};

/// The built-in scales of an alphabet, Amino or Nucleic; the first is the default.
std::span<const ResidueScale> built_in_scales(AlphabetKind alphabet);
/// The built-in scale of that name; nullptr if there is none.
const ResidueScale* find_scale(std::string_view name);

/// A scale given as text: lines of a letter and a number, or one AAindex entry (an `I` line of letter pairs
/// and two lines of ten numbers). It is one of nucleotides if all letters are A, C, G, T or U. Throws
/// std::invalid_argument naming the line. Its cut-offs are zero and its minimum length 1.
ResidueScale parse_scale(std::string_view text, const std::string& name);

/// Scale less shift in whole numbers of 10^-decimals, by residue code of an alphabet.
struct ResidueScores {
  int decimals = 0;
  std::array<std::int32_t, 32> scores{};
  std::array<bool, 32> ends_part{};  // `*` and `-`: no segment crosses them
};

/// The scores of the letters of `alphabet`, read as letters of the scale's alphabet. Degenerate letters score
/// the mean of what they stand for, rounded half away from zero. Of proteins U scores as C, O as K; of
/// nucleic sequences U as T; letters of neither score the mean of all residues.
ResidueScores residue_scores(const ResidueScale& scale, const Decimal& shift, const Alphabet& alphabet);

}  // namespace gpuhmm
