// Searches a sequence database with many profiles (hmmsearch): groups of profiles against blocks of
// sequences.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "gpuhmm/histogram.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/run.hpp"

namespace gpuhmm {

/// The result of one profile.
struct SearchResult : RegisteredHits {
  ScoreHistogram histogram;   ///< empty unless SearchOptions::histogram
  std::int64_t searched = 0;  ///< sequences counted as searched
  std::int64_t rescored = 0;  ///< sequences aligned exactly
};

/// Receives the hits of every profile with the thresholds that applied to it.
using SearchObserver = ResultObserver<const Profile&, const Thresholds&, SearchResult&&>;

/// All sequences of a database in one block, which the engines of a pool keep in their own form (GPUs in
/// their memory) for many searches.
class ResidentSequences {
 public:
  /// Reads the sequences, which have the alphabet `alphabet`. Null if they are more than the engines take at
  /// a time. Throws FileError.
  static std::unique_ptr<ResidentSequences> read(std::unique_ptr<SequenceReader> sequences,
                                                 AlphabetKind alphabet, const EnginePool& engines);
  ~ResidentSequences();

  AlphabetKind alphabet() const;
  struct Block;
  /// For search().
  Block& block() { return *block_; }

 private:
  explicit ResidentSequences(std::unique_ptr<Block> block);
  std::unique_ptr<Block> block_;
};

/// Options of search(). By default batches have as many residues as the engines prefer, and at most about
/// four million sequences.
struct SearchOptions : RunOptions {
  bool histogram = true;              ///< exact scores of all sequences; false allows the filter and `wanted`
  std::size_t group_nodes = 200'000;  ///< nodes of the profiles searched in one pass over the database
  std::int64_t most_profiles =
      std::numeric_limits<std::int64_t>::max();  ///< the rest of the file is not read
  bool count_empty = false;  ///< sequences without residues count, as in hmmsearch with worker threads
  /// The sequences that open_sequences() gives, read before for options.engines; any number of searches may
  /// use them at a time. Null: they are read. Not used by profiles of another alphabet, with
  /// thresholds.xnu or with count_empty.
  ResidentSequences* resident = nullptr;
};

/// Searches the sequences with every profile of `profiles`. `reopenable`: open_sequences may be called more
/// than once; otherwise all profiles are searched in one pass. Frees everything except the caller's engines
/// before returning. Throws FileError, SearchError, DeviceError, WrongScore, and EngineFailure if the host's
/// engine fails.
SearchStatistics search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
                        const SearchOptions& options, SearchObserver& observer);

}  // namespace gpuhmm
