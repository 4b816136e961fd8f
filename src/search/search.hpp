// The search of many profiles against a sequence database: streams sequences in batches past groups of
// profiles.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "filter/engine_pool.hpp"
#include "formats/profile/profile_reader.hpp"
#include "formats/sequence/sequence_reader.hpp"
#include "search/engines.hpp"
#include "search/profile_search.hpp"

namespace gpuhmm {

/// Seconds in which at least one thread was at work on a stage; stages overlap.
struct StageTimes {
  double parse = 0;      ///< reading and digitising sequences
  EngineTimes engine;    ///< the parts of `score` that the engine tells apart
  double score = 0;      ///< engine: packing, copying, kernels
  double rescore = 0;    ///< exact scores, tracebacks, domains
  double report = 0;     ///< making and writing the texts of results
  AlignmentTimes align;  ///< the parts of `rescore`, of all threads together
};

/// Totals of a whole search.
struct SearchStatistics {
  StageTimes seconds;
  std::int64_t profiles = 0;
  std::int64_t sequences = 0;  ///< per profile, empty ones not counted
  std::int64_t residues = 0;   ///< per profile
  double cells = 0;            ///< nodes x residues over all profiles
  std::string engine;          ///< description of the engine used last
};

/// Writes what was made of one result.
using ResultWriter = std::function<void()>;

/// What the search tells while it runs. Calls come from one thread at a time but for result().
class SearchObserver {
 public:
  virtual ~SearchObserver() = default;
  /// One profile is finished. Called by several threads at a time, in any order, to make what is to be
  /// written; what it returns is called in file order, one at a time, and once.
  virtual ResultWriter result(const Profile& profile, const Thresholds& thresholds,
                              SearchResult&& result) = 0;
  /// Something went wrong that did not stop the search, in one line.
  virtual void warning(const std::string& message) = 0;
};

struct SearchOptions {
  Thresholds thresholds;
  bool alignments = true;          ///< make alignment rows
  bool histogram = true;           ///< exact scores of all sequences; otherwise the filter may run
  unsigned threads = 1;            ///< host threads for scoring and rescoring
  std::size_t batch_residues = 0;  ///< 0: as many as the engine prefers
  std::size_t batch_sequences = std::size_t{4} << 20;
  std::size_t group_nodes =
      200'000;  ///< profiles searched in one pass of the database, by their nodes together
  std::int64_t most_profiles =
      std::numeric_limits<std::int64_t>::max();  ///< the rest of the file is not read
  bool count_empty = false;    ///< sequences without residues count, as in hmmsearch with worker threads
  bool check_alphabet = true;  ///< warn of sequences that do not seem to be of the profiles' alphabet
  Verification verification;   ///< of scores that come from devices
  /// The program ends after the search: engines and batches are left to the system, which is quicker at
  /// giving memory and devices back (0.1 s for a GPU).
  bool ends_program = false;
  /// Makes the engines for the work ahead.
  EngineSource make_engines;
  WorkMeter* meter = nullptr;  ///< told of the cells done and of the part of the search, if there is one
};

/// Opens the sequence file anew for every group of profiles.
using SequenceOpener = std::function<std::unique_ptr<SequenceReader>(const Alphabet&)>;

/// Searches every profile of `profiles` against the sequences. `reopenable` says that open_sequences may be
/// called more than once; if not, all profiles are searched in one pass. Throws FileError, SearchError,
/// DeviceError and WrongScore, and EngineFailure if the last engine fails.
SearchStatistics search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
                        const SearchOptions& options, SearchObserver& observer);

}  // namespace gpuhmm
