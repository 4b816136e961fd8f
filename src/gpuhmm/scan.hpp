// The scan of many sequences against a profile library (hmmpfam): blocks of sequences go past groups of
// profiles.
#pragma once

#include <cstdint>
#include <functional>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/run.hpp"

namespace gpuhmm {

/// How HMMER counts the profiles while it works on its first query, where it does not know their number yet.
enum class ScanCounting {
  Serial,   ///< those done before: hmmpfam --cpu 0
  Threaded  ///< this one, too: hmmpfam with worker threads
};

/// Opens a profile file, anew for every pass.
using ProfileOpener = std::function<ProfileBlocks()>;

/// What was found for one query sequence.
struct ScanResult {
  RegisteredHits hits;
  Thresholds thresholds;      ///< of the query's report
  std::int64_t profiles = 0;  ///< in the library
  double database_size = 0;   ///< Z: -Z or the number of profiles
};

/// Receives the hits of every query sequence.
using ScanObserver = ResultObserver<const SequenceView&, ScanResult&&>;

/// All hits of a batch are kept until it is done, so it has some eight million residues or 100,000 sequences,
/// unless the caller says otherwise.
struct ScanOptions : RunOptions {
  ScanCounting counting = ScanCounting::Serial;
  /// Below this many residues a batch goes past many profiles at a time, one thread a profile, and no device
  /// is asked unless named: starting kernels for each profile would take longer than the scores.
  std::size_t small_batch = 500'000;
  /// Nodes of a group of profiles: for small batches so few that reading runs beside scoring, for large ones
  /// so many that the number of profiles is known well enough to drop hopeless pairs.
  double small_group_nodes = 20'000, large_group_nodes = 500'000;
  /// Nodes of profiles kept in memory from one batch to the next; what is more is read anew for every batch.
  /// A node takes some 500 bytes.
  double kept_nodes = 2e6;
  /// True if the user named devices: then every batch goes there, but for small ones with many profiles,
  /// which they share with the host's threads.
  bool device_named = false;
};

/// Scans every sequence against every profile. `reopenable` says that open_profiles may be called more than
/// once; if not, all profiles are kept in memory. What is not the caller's is given back before the return.
/// Throws FileError, SearchError, DeviceError and WrongScore, and EngineFailure if the last engine fails.
SearchStatistics scan(const ProfileOpener& open_profiles, bool reopenable,
                      const SequenceOpener& open_sequences, const ScanOptions& options,
                      ScanObserver& observer);

}  // namespace gpuhmm
