// A batch of query sequences on its way past the profiles of a scan: which pairs are looked at, how they are
// aligned, and what is registered for each query (docs/spec/postprocessing-statistics.md, 5.1, 5.6).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan7/aligner.hpp"
#include "plan7/hits.hpp"
#include "plan7/postprocess.hpp"
#include "plan7/sequence.hpp"
#include "search/scan_models.hpp"
#include "util/work_meter.hpp"

namespace gpuhmm {

/// How HMMER counts the profiles while it works on its first query, where it does not know their number yet.
enum class ScanCounting {
  Serial,   ///< those done before: hmmpfam --cpu 0
  Threaded  ///< this one, too: hmmpfam with worker threads
};

/// What was found for one query, in registration order: profiles as in their file, domains in sequence order.
struct ScanHits {
  std::vector<SequenceHit> sequences;
  std::vector<DomainHit> domains;
};

/// Indices of sequences of a batch that one profile shall be aligned with, rising.
using QueryCandidates = std::vector<std::uint32_t>;

/// The queries of one batch and their hits so far. Groups of profiles must come in file order.
class ScanBatch {
 public:
  /// `asked`: thresholds of the run. `holds_first`: sequence 0 is the first query of the run. `sequences`
  /// must outlive this.
  ScanBatch(const SequenceBatch& sequences, const Thresholds& asked, bool holds_first, ScanCounting counting,
            bool make_alignments);

  const SequenceBatch& sequences() const { return sequences_; }

  /// The raw score (1/1000 bit) below which no query but the run's first is looked at: what a filter may
  /// drop. `known` is the number of profiles of the file, or that of those read so far.
  static std::int32_t filter_threshold(const ScanModel& model, std::int64_t known);

  /// The sequences that profile `index` of the file may have a hit in. scores[i] is the raw score of sequence
  /// i or an upper bound; not looked at with --forward.
  QueryCandidates select(const ScanModel& model, std::int64_t index, std::int64_t known,
                         std::span<const std::int32_t> scores) const;

  /// Aligns the candidates of consecutive profiles, beginning with models[first] of the group, over `threads`
  /// threads, and registers what passes. `meter`, if there is one, is told of what is aligned.
  void add(const ScanGroup& group, std::size_t first, std::span<const QueryCandidates> candidates,
           std::int64_t known, unsigned threads, WorkMeter* meter = nullptr);

  /// The hits of query `i`, once `profiles`, the number of profiles in the file, is known. Call once a query.
  ScanHits finish(std::size_t i, std::int64_t profiles);
  /// Pairs aligned exactly so far.
  std::int64_t rescored() const { return rescored_; }

 private:
  struct Pair;  // to be aligned, and what came of it
  /// A profile's hits in a query, and the P-value of the pair's score before post-processing.
  struct Registered {
    double p_value;
    PostprocessedPair found;
  };
  bool is_first(std::size_t i) const { return holds_first_ && i == 0; }
  // The profiles that HMMER has counted when it decides on a query and profile number `index`.
  std::int64_t counted(std::size_t query, std::int64_t index, std::int64_t known) const;
  struct Chunk;         // consecutive profiles and their candidates
  class SegmentFinder;  // for the replay
  class ProfileAligner;
  struct PairMeter;
  std::vector<Pair> replay(const Chunk& chunk, std::uint32_t query, unsigned threads);
  // Aligns the pairs of each profile of the chunk.
  void align(const Chunk& chunk, std::int64_t known, std::span<std::vector<Pair>> by_model, unsigned threads,
             const PairMeter& meter) const;
  void register_pair(Pair& pair, std::int64_t index);

  const SequenceBatch& sequences_;
  Thresholds asked_;
  bool holds_first_;
  ScanCounting counting_;
  bool make_alignments_;
  std::vector<MatrixRule> rules_;  // of each query: HMMER's matrix after the profiles so far
  std::vector<std::vector<Registered>> registered_;
  std::int64_t rescored_ = 0;
};

}  // namespace gpuhmm
