// One profile's way through a database: raw scores in, hits and histogram out
// (docs/spec/postprocessing-statistics.md, 5.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/batch_aligner.hpp"
#include "plan7/aligner.hpp"
#include "plan7/histogram.hpp"
#include "plan7/hits.hpp"
#include "plan7/postprocess.hpp"
#include "plan7/profile.hpp"
#include "plan7/score_model.hpp"
#include "plan7/sequence.hpp"
#include "search/thresholds.hpp"
#include "util/work_meter.hpp"

namespace gpuhmm {

/// A batch and the running number, from 1, of each of its sequences among all that count. Empty ones, if they
/// do not count, have the number of the sequence before.
struct NumberedBatch {
  /// Numbers the sequences on from `counted_before`.
  NumberedBatch(SequenceBatch&& batch, std::int64_t counted_before, bool count_empty = false);

  SequenceBatch sequences;
  std::vector<std::int64_t> ordinals;
  std::int64_t counted_before;
  std::int64_t counted_after;
};

/// What was found for one profile, in registration order (input order, domains in sequence order).
struct SearchResult {
  std::vector<SequenceHit> sequences;
  std::vector<DomainHit> domains;
  ScoreHistogram histogram;   ///< empty if exact scores of all sequences were not asked for
  std::int64_t searched = 0;  ///< sequences that count
  std::int64_t rescored = 0;  ///< sequences aligned exactly
};

/// What scoring `cells` and aligning the hits among them amounts to. How many hits there are is not known
/// before: aligning them is taken for a tenth of all.
inline WorkMeter::Amount search_amount(double cells) { return {cells, cells / 9}; }

/// Collects the hits of one profile over consecutive batches.
class ProfileSearch {
 public:
  /// `thresholds`: as thresholds_for gives them. `profile` must outlive this.
  ProfileSearch(const Profile& profile, const Thresholds& thresholds, bool make_alignments);

  const Profile& profile() const { return profile_; }
  const ScoreModel& model() const { return model_; }
  const Thresholds& thresholds() const { return thresholds_; }

  /// The raw score (1/1000 bit) below which no sequence from `ordinal` on is looked at: what a filter may
  /// drop.
  std::int32_t filter_threshold(std::int64_t ordinal) const;
  /// A raw score with which every sequence up to `ordinal` is aligned exactly: no more need be known of it.
  std::int32_t enough(std::int64_t ordinal) const { return filter_.raw_enough(ordinal); }

  /// Post-processes the next batch over `threads` threads. scores[i] is the raw score of sequence i, exact
  /// or, with `exact` false, an upper bound (then no histogram is kept). Ignored with --forward. `meter`, if
  /// there is one, is told of what is aligned.
  void add(const NumberedBatch& batch, std::span<const std::int32_t> scores, bool exact, unsigned threads,
           AlignmentClock& clock, WorkMeter* meter = nullptr);

  /// The result; call once, at the end.
  SearchResult finish() { return std::move(result_); }

 private:
  struct Candidate;
  void count_scores(const NumberedBatch& batch, std::span<const std::int32_t> scores,
                    std::span<const Candidate> candidates);
  std::vector<Candidate> select(const NumberedBatch& batch, std::span<const std::int32_t> scores);
  void rescore(const NumberedBatch& batch, std::span<Candidate> candidates, unsigned threads,
               AlignmentClock& clock, WorkMeter* meter) const;
  void rescore_forward(const NumberedBatch& batch, std::span<Candidate> candidates, unsigned threads,
                       WorkMeter* meter) const;
  void settle(const NumberedBatch& batch, Candidate& candidate, float score,
              const std::optional<Trace>& trace) const;

  const Profile& profile_;
  Thresholds thresholds_;
  std::optional<Consensus> consensus_;  // if alignments are to be made
  ScoreModel model_;
  ProvisionalFilter filter_;
  MatrixRule matrix_rule_;
  SearchResult result_;
};

}  // namespace gpuhmm
