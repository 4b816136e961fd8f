// The alignment that a profile is built from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plan7/alphabet.hpp"

namespace gpuhmm {

/// Rows of the same length with their weights. Letters are in upper case.
struct TrainingAlignment {
  AlphabetKind alphabet = AlphabetKind::Amino;
  std::vector<std::string> rows;  ///< residues and gaps
  std::vector<float> weights;     ///< one a row

  std::size_t columns() const { return rows.front().size(); }
  /// The residues of a row as codes, gaps left out.
  std::vector<std::uint8_t> residues(std::size_t row) const;
  const Alphabet& letters() const { return Alphabet::get(alphabet); }
};

/// Whether a character of an alignment is a gap: one of " ._-~".
constexpr bool is_gap(char c) { return c == '-' || c == '.' || c == '_' || c == '~' || c == ' '; }

/// Adds `weight` of a residue to the counts of plain residues: a degenerate code counts in equal parts for
/// those that it stands for.
void count_residue(const Alphabet& alphabet, std::uint8_t code, float weight, float* counts);

}  // namespace gpuhmm
