// Pairs of a profile and a sequence on their way from a score to hits: which of them pass the provisional
// filter, their exact alignment, and post-processing (docs/spec/postprocessing-statistics.md, 5.1).
#pragma once

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

/// Appends the hits of the pair with target number `target`.
void add_hits(RegisteredHits& hits, PostprocessedPair&& found, std::uint64_t target);

/// A pair to be aligned exactly, and what comes of it.
struct Pair {
  Pair(std::size_t place, std::int64_t targets_counted, const MatrixRule& matrix_rule)
      : sequence(place), counted(targets_counted), rule(matrix_rule) {}

  std::size_t sequence;  ///< its place in the batch
  std::int64_t counted;  ///< targets that HMMER has counted when it decides on this pair
  MatrixRule rule;       ///< as HMMER's matrix stands when it comes to this pair
  float score = 0;       ///< bits; after post-processing, if the pair passed
  double p_value = 1;    ///< of the score before post-processing, if the pair passed
  PostprocessedPair found;
};

/// Counts the alignments of pairs, as a share of what was expected of all together.
struct PairMeter {
  /// `batch_cells`: of all pairs scored; `pair_cells`: of those to be aligned.
  PairMeter(WorkMeter& work_meter, double batch_cells, double pair_cells);

  WorkMeter& meter;
  double other_per_cell;
};

/// The places in the batch of the sequences to be aligned, rising: those that may pass by scores[i], the raw
/// score of sequence i or an upper bound, and with --forward all that are not empty. counted(i): as in Pair,
/// never less than for a sequence before.
template <class Counted>
std::vector<std::uint32_t> select_candidates(ProvisionalFilter& filter, const SequenceBatch& batch,
                                             std::span<const std::int32_t> scores, const Counted& counted) {
  std::vector<std::uint32_t> candidates;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) == 0) continue;
    if (filter.forward() || filter.passes(bits_of(scores[i]), counted(i))) {
      candidates.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return candidates;
}

/// Settles the pairs of one profile.
class PairSettler {
 public:
  /// `profile` must be configured and outlive this. `target`: what HMMER calls the target of the pairs.
  PairSettler(const RunProfile& profile, Target target, bool make_alignments);

  /// Aligns the pairs, with sequences of `batch` and in the order in which they are counted, over `threads`
  /// threads, and post-processes those that pass by their exact score. `clock`, if there is one, gets the
  /// times.
  void settle(const SequenceBatch& batch, std::span<Pair> pairs, unsigned threads, const PairMeter& meter,
              AlignmentClock* clock = nullptr) const;

 private:
  void settle_viterbi(const SequenceBatch& batch, std::span<Pair> pairs, unsigned threads,
                      const PairMeter& meter, AlignmentClock* clock) const;
  void settle_forward(const SequenceBatch& batch, std::span<Pair> pairs, unsigned threads,
                      const PairMeter& meter) const;
  void decide(const SequenceBatch& batch, Pair& pair, float score, const std::optional<Trace>& trace) const;

  const RunProfile& query_;
  Target target_;
  std::optional<Consensus> consensus_;  // if alignments are to be made
  ProvisionalFilter filter_;
};

}  // namespace gpuhmm
