// Turns a sequence into the hits that HMMER 2.3.2 registers: scores, domains, corrections and the per-domain
// filter (docs/spec/postprocessing-statistics.md, 5.1 to 5.3).
#pragma once

#include <cfloat>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/sequence.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/aligner.hpp"
#include "plan7/domain_alignment.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Score of a (sequence, profile) pair before post-processing.
struct PairScore {
  float score = 0;       ///< bits: Viterbi, or Forward minus the null2 correction of the path
  double p_value = 1;    ///< of `score`
  std::int32_t raw = 0;  ///< Viterbi score, 1/1000 bit
  std::optional<Trace> trace;
};

/// Scores a pair (docs/spec/postprocessing-statistics.md, 5.1, steps 1 and 2). `model` was made from
/// `profile`, with WingFolding::Sum if thresholds.forward. `rule` and `matrix` are as for align. If the
/// Forward score, which null2 can only lower, is below `least` (bits), it is the result, without a path.
PairScore score_pair(const Profile& profile, const ScoreModel& model, std::span<const std::uint8_t> residues,
                     const Thresholds& thresholds, MatrixRule& rule, ViterbiMatrix& matrix,
                     float least = -FLT_MAX);

/// The same with work space of its own.
PairScore score_pair(const Profile& profile, const ScoreModel& model, std::span<const std::uint8_t> residues,
                     const Thresholds& thresholds, MatrixRule& rule);

/// What hits are named after: the sequence (search) or the profile (scan).
enum class Target { Sequence, Profile };

/// The result of post-processing a pair.
struct PostprocessedPair {
  float score = 0;  ///< bits of the whole sequence; the given score if there is no path
  std::optional<SequenceHit> sequence;
  std::vector<DomainHit> domains;  ///< in sequence order
};

/// Finds the domains and the score of the whole sequence (docs/spec/postprocessing-statistics.md, 5.2).
/// `trace` is the path of the pair or null, `score` that of PairScore. Names, accessions and descriptions are
/// not cut. `consensus` is that of the profile; if null, the rows of the alignments stay empty.
PostprocessedPair postprocess(const Profile& profile, const ScoreModel& model, const SequenceView& sequence,
                              const Trace* trace, float score, const Thresholds& thresholds, Target target,
                              const Consensus* consensus);

}  // namespace gpuhmm
