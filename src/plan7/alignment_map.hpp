// A multiple alignment aligned, as it is, to a profile (docs/spec/alignment.md, 11.5).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "plan7/score_model.hpp"

namespace gpuhmm {

/// A row of an alignment and its weight among the others.
struct WeightedRow {
  std::string_view text;  ///< residues and gaps; all rows of an alignment have the same length
  float weight = 1;
};

/// Column (from 1) of each match state, 0 where it has none; [k] of node k, [0] is 0. The columns are aligned
/// like the residues of a sequence, by a path with one domain; a column scores what its residues score on
/// average. Ties go to where HMMER 2.3.2 leaves them. O(L M) time, and a byte of memory for each column and
/// node. Throws std::invalid_argument if there is no path.
std::vector<int> map_alignment(const ScoreModel& model, std::span<const WeightedRow> rows);

}  // namespace gpuhmm
