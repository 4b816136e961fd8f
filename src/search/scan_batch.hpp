// A batch of query sequences in a scan: selects the pairs to be aligned, and registers the hits of each query
// (docs/spec/postprocessing-statistics.md, 5.1, 5.6).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/progress.hpp"
#include "gpuhmm/scan.hpp"
#include "gpuhmm/sequence.hpp"
#include "plan7/aligner.hpp"
#include "search/pair_rescorer.hpp"
#include "search/scan_library.hpp"
#include "search/sequence_blocks.hpp"

namespace gpuhmm {

/// Indices, in rising order, of the queries of a batch that are to be aligned with one profile.
using QueryCandidates = std::vector<std::uint32_t>;

/// The queries of one block and their hits so far. Groups of profiles must come in file order.
class ScanBatch {
 public:
  /// `asked`: thresholds of the run; `wanted`: the hits that finish() must return. `queries` must outlive
  /// this; empty ones count.
  ScanBatch(const SequenceBlock& queries, const Thresholds& asked, ScanCounting counting,
            bool make_alignments, HitsWanted wanted);

  const SequenceBatch& sequences() const { return sequences_; }

  /// The raw score (1/1000 bit) below which every query except the first of the run is ignored: a filter may
  /// drop it. `known`: the number of profiles in the file, or of those read so far.
  static std::int32_t filter_threshold(const RunProfile& profile, std::int64_t known);

  /// The queries in which profile `index` of the file may have a hit. scores[i] is the raw score of query i
  /// or an upper bound; ignored with --forward.
  QueryCandidates select(const RunProfile& profile, std::int64_t index, std::int64_t known,
                         std::span<const std::int32_t> scores) const;

  /// Aligns the candidates of consecutive profiles, beginning with models[first] of the group, with `threads`
  /// threads, and registers the hits.
  void add(const ScanGroup& group, std::size_t first, std::span<const QueryCandidates> candidates,
           std::int64_t known, unsigned threads, WorkMeter& meter);

  /// The hits of query `i`. `profiles`: the number of profiles in the file. Call once for each query, at the
  /// end.
  RegisteredHits finish(std::size_t i, std::int64_t profiles);

 private:
  // A pair of a query and the profile with index `place` in a chunk.
  struct Visit {
    std::size_t place;
    MatrixRule rule;  // the state of HMMER's matrix when it reaches this pair
  };
  // The hits of profile number `target` in a query, and the P-value before post-processing.
  struct Registered {
    double p_value;
    std::uint64_t target;
    PostprocessedPair found;
  };
  struct Chunk;         // consecutive profiles and their candidates
  class SegmentFinder;  // for the replay

  bool is_first(std::size_t i) const { return holds_first_ && i == 0; }
  // The profiles that HMMER has counted when it decides on a query and profile number `index`.
  std::int64_t counted(std::size_t query, std::int64_t index, std::int64_t known) const;
  // A score (bits) below which the first query of the run has no wanted hit of the profile. HMMER, which does
  // not know the number of profiles yet, registers more hits in that query than in others.
  float least_in_first(const RunProfile& profile, std::int64_t known) const;
  std::vector<Visit> replay(const Chunk& chunk, std::uint32_t query, unsigned threads);
  std::vector<std::vector<Visit>> replay_all(const Chunk& chunk, unsigned threads);
  void rescore(const Chunk& chunk, std::span<std::vector<Pair>> by_profile, double pair_cells,
               unsigned threads, WorkMeter& meter) const;
  void register_pair(Pair& pair, std::int64_t index);

  const SequenceBatch& sequences_;
  Thresholds asked_;
  bool holds_first_;  // sequence 0 is the first query of the run
  ScanCounting counting_;
  bool make_alignments_;
  HitsWanted wanted_;
  std::vector<MatrixRule> rules_;  // for each query: the state of HMMER's matrix after the profiles so far
  std::vector<std::vector<Registered>> registered_;
};

}  // namespace gpuhmm
