// From scores of pairs of a profile and a sequence to hits: provisional filter, exact alignment and
// post-processing (docs/spec/postprocessing-statistics.md, 5.1).
#pragma once

#include <cfloat>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/batch_aligner.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/progress.hpp"
#include "gpuhmm/sequence.hpp"
#include "plan7/aligner.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/consensus.hpp"
#include "plan7/postprocess.hpp"
#include "search/run_profile.hpp"
#include "search/thresholds.hpp"

namespace gpuhmm {

/// Appends the hits of a pair; `target` is the number of its target.
void add_hits(RegisteredHits& hits, PostprocessedPair&& found, std::uint64_t target);

/// A pair to be aligned exactly, and its result.
struct Pair {
  Pair(std::size_t place, std::int64_t targets_counted, const MatrixRule& matrix_rule)
      : sequence(place), counted(targets_counted), rule(matrix_rule) {}

  std::size_t sequence;    ///< index into the batch
  std::int64_t counted;    ///< targets that HMMER has counted when it decides on this pair
  MatrixRule rule;         ///< the state of HMMER's matrix when it reaches this pair
  float least = -FLT_MAX;  ///< bits; with a lower score before post-processing its hits are not wanted
  float score = 0;         ///< bits; after post-processing if the pair passes
  double p_value = 1;      ///< of the score before post-processing, if the pair passes
  PostprocessedPair found;
};

/// Reports the progress of alignments, as a share of the expected work for all of them.
struct PairMeter {
  /// `batch_cells`: cells of all scored pairs; `pair_cells`: of those to be aligned.
  PairMeter(WorkMeter& work_meter, double batch_cells, double pair_cells);

  WorkMeter& meter;
  double other_per_cell;
};

/// The indices, in rising order, of the sequences of the batch that must be aligned: those that may pass by
/// scores[i], the raw score of sequence i or an upper bound; with --forward all that are not empty.
/// counted(i): as Pair::counted; must not decrease.
template <class Counted>
std::vector<std::uint32_t> select_candidates(ProvisionalFilter& filter, const SequenceBatch& batch,
                                             std::span<const std::int32_t> scores, const Counted& counted) {
  std::vector<std::uint32_t> candidates;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const bool passes = filter.forward() || filter.passes(bits_of(scores[i]), counted(i));
    if (passes && batch.length(i) > 0) candidates.push_back(static_cast<std::uint32_t>(i));
  }
  return candidates;
}

/// Aligns and post-processes the pairs of one profile.
class PairRescorer {
 public:
  /// `profile` must be configured and outlive this. `target`: which of the two is the target in HMMER's
  /// sense.
  PairRescorer(const RunProfile& profile, Target target, bool make_alignments);

  /// Aligns the pairs with `threads` threads, and post-processes those that pass by their exact score.
  /// `pairs`: with sequences of `batch`, in the order in which they are counted. Adds times to `clock`, if
  /// not null. `devices`, if not null, help to align (align_batch()).
  void rescore(const SequenceBatch& batch, std::span<Pair> pairs, unsigned threads, const PairMeter& meter,
               AlignmentClock* clock = nullptr, PathDevices* devices = nullptr) const;

 private:
  void rescore_viterbi(const SequenceBatch& batch, std::span<Pair> pairs, unsigned threads,
                       const PairMeter& meter, AlignmentClock* clock, PathDevices* devices) const;
  void rescore_forward(const SequenceBatch& batch, std::span<Pair> pairs, unsigned threads,
                       const PairMeter& meter) const;
  void decide(const SequenceBatch& batch, Pair& pair, float score, const std::optional<Trace>& trace) const;

  const RunProfile& query_;
  Target target_;
  std::optional<Consensus> consensus_;  // if alignments are wanted
  ProvisionalFilter filter_;
};

}  // namespace gpuhmm
