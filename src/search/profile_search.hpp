// The search with one profile: turns raw scores into hits and a histogram
// (docs/spec/postprocessing-statistics.md, 5.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/batch_aligner.hpp"
#include "gpuhmm/histogram.hpp"
#include "gpuhmm/progress.hpp"
#include "gpuhmm/search.hpp"
#include "plan7/aligner.hpp"
#include "search/pair_rescorer.hpp"
#include "search/reportable.hpp"
#include "search/run_profile.hpp"
#include "search/sequence_blocks.hpp"

namespace gpuhmm {

/// Collects the hits of one profile over consecutive blocks.
class ProfileSearch {
 public:
  /// `wanted`: the hits that finish() must return.
  ProfileSearch(RunProfile&& profile, bool make_alignments, HitsWanted wanted);
  ProfileSearch(const ProfileSearch&) = delete;
  ProfileSearch& operator=(const ProfileSearch&) = delete;

  const Profile& profile() const { return query_.profile; }
  const ScoreModel& model() const { return *query_.model; }
  const Thresholds& thresholds() const { return query_.thresholds; }

  /// To be called before the next block: at least `counted` sequences will be counted in the end.
  void expect(const SequenceBlock& block, std::int64_t counted);

  /// The raw score (1/1000 bit) below which every sequence from `ordinal` on is ignored: a filter may drop
  /// it.
  std::int32_t filter_threshold(std::int64_t ordinal) const { return filter_.raw_bound(ordinal); }
  /// A raw score (1/1000 bit) at which every sequence up to `ordinal` is certain to be aligned exactly. A
  /// filter need not compute higher scores exactly.
  std::int32_t enough(std::int64_t ordinal) const { return filter_.raw_enough(ordinal); }

  /// Aligns and post-processes the candidates of the next block with `threads` threads. scores[i] is the raw
  /// score of sequence i, exact or, with `exact` false, an upper bound (then no histogram is kept). Ignored
  /// with --forward. `devices`, if not null, help to align (align_batch()).
  void add(const SequenceBlock& block, std::span<const std::int32_t> scores, bool exact, unsigned threads,
           AlignmentClock& clock, WorkMeter& meter, PathDevices* devices);

  /// The result; call once, at the end.
  SearchResult finish() { return std::move(result_); }

 private:
  std::vector<Pair> select(const SequenceBlock& block, std::span<const std::int32_t> scores, bool exact);
  void count_scores(const SequenceBatch& batch, std::span<const std::int32_t> scores,
                    std::span<const Pair> pairs);

  RunProfile query_;
  HitsWanted wanted_;
  PairRescorer rescorer_;
  ProvisionalFilter filter_;
  LeastWanted least_;
  MatrixRule matrix_rule_;
  SearchResult result_;
};

}  // namespace gpuhmm
