// The search of many profiles against a sequence database (hmmsearch): groups of profiles go past blocks of
// sequences.
#pragma once

#include <cstdint>
#include <limits>

#include "gpuhmm/histogram.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/run.hpp"

namespace gpuhmm {

/// What was found for one profile.
struct SearchResult : RegisteredHits {
  ScoreHistogram histogram;   ///< empty if exact scores of all sequences were not asked for
  std::int64_t searched = 0;  ///< sequences that count
  std::int64_t rescored = 0;  ///< sequences aligned exactly
};

/// Receives the hits of every profile, with the thresholds in force for it.
using SearchObserver = ResultObserver<const Profile&, const Thresholds&, SearchResult&&>;

/// Batches have as many residues as the engines prefer, and some four million sequences, unless the caller
/// says otherwise.
struct SearchOptions : RunOptions {
  bool histogram = true;  ///< exact scores of all sequences; otherwise the filter may run
  std::size_t group_nodes =
      200'000;  ///< profiles searched in one pass of the database, by their nodes together
  std::int64_t most_profiles =
      std::numeric_limits<std::int64_t>::max();  ///< the rest of the file is not read
  bool count_empty = false;  ///< sequences without residues count, as in hmmsearch with worker threads
};

/// Searches every profile of `profiles` against the sequences. `reopenable` says that open_sequences may be
/// called more than once; if not, all profiles are searched in one pass. What is not the caller's is given
/// back before the return. Throws FileError, SearchError, DeviceError and WrongScore, and EngineFailure if
/// the last engine fails.
SearchStatistics search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
                        const SearchOptions& options, SearchObserver& observer);

}  // namespace gpuhmm
