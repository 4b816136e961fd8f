// Hydropathy scales: the built-in ones and scales read by the user, and the integers that sequences are
// scored with.
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

/// A value for each amino acid in the order of Alphabet (ACDEFGHIKLMNPQRSTVWY); positive is hydrophobic.
struct HydropathyScale {
  std::string name;
  std::string source;  // citation
  std::array<Decimal, 20> values;
  // What separates membrane helices best on annotated proteins (docs/segments.md).
  Decimal shift, min_score;
  std::uint64_t min_length = 1;
  std::string unit;  // of the values; empty if they have none or it is not known
};

/// The built-in scales; the first is the default.
std::span<const HydropathyScale> built_in_scales();
/// The built-in scale of that name; nullptr if there is none.
const HydropathyScale* find_scale(std::string_view name);

/// A scale given as text: lines of a letter and a number, or one AAindex entry (an `I` line of letter pairs
/// and two lines of ten numbers). Throws std::invalid_argument naming the line. Its cut-offs are zero and its
/// minimum length 1.
HydropathyScale parse_scale(std::string_view text, const std::string& name);

/// Scale less shift in whole numbers of 10^-decimals, by residue code of an alphabet.
struct ResidueScores {
  int decimals = 0;
  std::array<std::int32_t, 32> scores{};
  std::array<bool, 32> ends_part{};  // `*` and `-`: no segment crosses them
};

/// Degenerate letters score the mean of what they stand for, rounded half away from zero; U scores as C, O as
/// K.
ResidueScores residue_scores(const HydropathyScale& scale, const Decimal& shift, const Alphabet& alphabet);

}  // namespace gpuhmm
