// Scans many sequences against a profile library (hmmpfam): blocks of sequences against groups of profiles.
#pragma once

#include <cstdint>
#include <functional>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/run.hpp"

namespace gpuhmm {

/// How HMMER counts profiles during its first query, when it does not know their number yet.
enum class ScanCounting {
  Serial,   ///< profiles before this one: hmmpfam --cpu 0
  Threaded  ///< including this one: hmmpfam with worker threads
};

/// Opens the profile file again for each pass.
using ProfileOpener = std::function<ProfileBlocks()>;

/// The result of one query sequence.
struct ScanResult {
  RegisteredHits hits;
  Thresholds thresholds;      ///< of the query's report
  std::int64_t profiles = 0;  ///< in the library
  double database_size = 0;   ///< Z: -Z or the number of profiles
};

/// Receives the hits of every query sequence.
using ScanObserver = ResultObserver<const SequenceView&, ScanResult&&>;

/// Options of scan(). Hits are kept until their batch is done, so by default a batch has about eight million
/// residues or 100,000 sequences.
struct ScanOptions : RunOptions {
  ScanCounting counting = ScanCounting::Serial;
  /// A batch with fewer residues is scored against many profiles at a time, one thread per profile, and uses
  /// no device unless one was named: starting kernels for each profile would take longer than scoring.
  std::size_t small_batch = 500'000;
  /// Nodes of a group of profiles: few for small batches, so that reading overlaps scoring; many for large
  /// ones, so that the number of profiles is known well enough to drop hopeless pairs.
  double small_group_nodes = 20'000, large_group_nodes = 500'000;
  /// Nodes of profiles kept in memory from one batch to the next; further ones are read again for every
  /// batch. A node takes about 500 bytes.
  double kept_nodes = 2e6;
  /// True if the user named devices: they get every batch, but share small batches with many profiles with
  /// the host's threads.
  bool device_named = false;
};

/// Scans every sequence against every profile. `reopenable`: open_profiles may be called more than once;
/// otherwise all profiles are kept in memory. Frees everything except the caller's engines before returning.
/// Throws FileError, SearchError, DeviceError, WrongScore, and EngineFailure if the host's engine fails.
SearchStatistics scan(const ProfileOpener& open_profiles, bool reopenable,
                      const SequenceOpener& open_sequences, const ScanOptions& options,
                      ScanObserver& observer);

}  // namespace gpuhmm
