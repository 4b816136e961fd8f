// One domain: posterior decoding, its alignment of optimal accuracy, and its composition
// (docs/spec/hmmer3/domains.md, 8 to 10).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/hmmer3_profile.hpp"
#include "hmmer3/forward_backward.hpp"

namespace gpuhmm::hmmer3 {

/// A column of an alignment: a node, a residue (counted from 1 in the envelope), or both.
struct AlignedColumn {
  CellState state = kMatch;
  int node = 0;
  std::size_t residue = 0;
  float posterior = 0;
};

/// Posterior probabilities of the states outside of nodes for one residue.
struct OutsidePosterior {
  float n = 0, j = 0, c = 0;
};

/// Turns `task`, an envelope after Forward and Backward with all cells, into posterior probabilities: they
/// take the place of Backward's cells. The states outside of nodes are given for rows 1 to length, at [row].
/// Nothing if probabilities overflow: then there is no domain.
std::optional<std::vector<OutsidePosterior>> decode_posteriors(const FloatModel& model, SequenceTask& task);

/// An alignment, as far as it is wanted.
struct EnvelopeAlignment {
  float accuracy = 0;                  ///< expected number of correctly aligned residues
  std::vector<AlignedColumn> columns;  ///< from the first to the last match state

  /// Leaves what is wanted: all, or the first and the last column, which may be the same, without posteriors,
  /// or nothing.
  void reduce(AlignmentDetail wanted);
};

/// Turns columns from right to left round, and leaves those from the first to the last match state.
void keep_matches(std::vector<AlignedColumn>& columns);

/// The alignment of optimal accuracy by decoded posteriors; overwrites Forward's cells.
EnvelopeAlignment align_envelope(const FloatModel& model, SequenceTask& task,
                                 const std::vector<OutsidePosterior>& outside);

/// null2 odds by residue code, by expectation over decoded posteriors.
std::vector<float> expected_null2(const FloatModel& model, const Alphabet& alphabet, const SequenceTask& task,
                                  const std::vector<OutsidePosterior>& outside);

/// The rows that reports show. `sequence`: the envelope.
AlignmentRows alignment_rows(const Profile& profile, const FloatModel& model, Residues sequence,
                             const std::vector<AlignedColumn>& columns);

}  // namespace gpuhmm::hmmer3
