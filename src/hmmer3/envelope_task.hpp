// Envelopes that are scored and aligned side by side (docs/spec/hmmer3/domains.md, 8 to 10).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hmmer3/envelope.hpp"
#include "hmmer3/forward_backward.hpp"

namespace gpuhmm::hmmer3 {

/// An envelope and what is found out about it.
struct EnvelopeTask : SequenceTask {
  bool wants_null2 = false;                        ///< its null2 odds are wanted, by expectation
  AlignmentDetail wanted = AlignmentDetail::Rows;  ///< of its alignment
  bool possible = true;                            ///< false: posteriors overflow, there is no domain
  std::vector<float> odds;                         ///< null2 odds by residue code
  EnvelopeAlignment alignment;
  float outside_share = 0;  ///< of residues outside of nodes
  bool scored = false;      ///< all that is above is known, as far as it is wanted

  bool wants_alignment() const { return wanted != AlignmentDetail::None; }
  /// The same envelope, of which nothing is known.
  EnvelopeTask unscored() const {
    EnvelopeTask task;
    task.sequence = sequence;
    task.lengths = lengths;
    task.wants_null2 = wants_null2;
    task.wanted = wanted;
    return task;
  }
};

/// Forward, Backward, posterior decoding, null2 and alignment of all tasks: fills `forward`, `forward_score`
/// and the members of EnvelopeTask but `scored`, as far as they are wanted, not the cells. Needs flush to
/// zero (FlushToZero). Tasks of similar length are quickest next to each other. `most_shared`: bytes of rows
/// that they may share. Throws ImpossibleComparison.
void score_envelopes(const FloatModel& model, const Alphabet& alphabet, std::span<EnvelopeTask> tasks,
                     std::size_t most_shared = SharedRows::kMostShared);

/// The same for one task, plainly: the reference.
void score_envelope_plainly(const FloatModel& model, const Alphabet& alphabet, EnvelopeTask& task);

}  // namespace gpuhmm::hmmer3
