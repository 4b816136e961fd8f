// The scan of many sequences against a profile library (hmmpfam): streams groups of profiles past batches of
// sequences.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "search/scan_batch.hpp"
#include "search/scan_models.hpp"
#include "search/search.hpp"

namespace gpuhmm {

/// What was found for one query sequence.
struct ScanResult {
  ScanHits hits;
  Thresholds thresholds;      ///< of the query's report
  std::int64_t profiles = 0;  ///< in the library
  double database_size = 0;   ///< Z: -Z or the number of profiles
};

/// What the scan tells while it runs. Calls come from one thread at a time but for result().
class ScanObserver {
 public:
  virtual ~ScanObserver() = default;
  /// One query is finished. Called by several threads at a time, in any order, to make what is to be written;
  /// what it returns is called in file order, one at a time, and once.
  virtual ResultWriter result(const SequenceView& query, ScanResult&& result) = 0;
  /// Something went wrong that did not stop the scan, in one line.
  virtual void warning(const std::string& message) = 0;
};

struct ScanOptions {
  Thresholds thresholds;
  bool alignments = true;  ///< make alignment rows
  ScanCounting counting = ScanCounting::Serial;
  unsigned threads = 1;  ///< host threads for scoring and rescoring
  /// Residues and sequences of a batch: all hits of a batch are kept until it is done.
  std::size_t batch_residues = std::size_t{8} << 20;
  std::size_t batch_sequences = 100'000;
  /// Below this many residues a batch goes past many profiles at a time, one thread a profile, and no device
  /// is asked unless named: starting kernels for each profile would take longer than the scores.
  std::size_t small_batch = 500'000;
  /// Nodes of a group of profiles: for small batches so few that reading runs beside scoring, for large ones
  /// so many that the number of profiles is known well enough to drop hopeless pairs.
  double small_group_nodes = 20'000, large_group_nodes = 500'000;
  /// Nodes of profiles kept in memory from one batch to the next; what is more is read anew for every batch.
  /// A node takes some 500 bytes.
  double kept_nodes = 2e6;
  bool check_alphabet = true;  ///< as in SearchOptions
  Verification verification;   ///< of scores that come from devices
  /// True if the user named devices: then every batch goes there, but for small ones with many profiles,
  /// which they share with the host's threads.
  bool device_named = false;
  /// As in SearchOptions.
  EngineSource make_engines;
  WorkMeter* meter = nullptr;  ///< likewise
};

/// Scans every sequence against every profile. `reopenable` says that open_profiles may be called more than
/// once; if not, all profiles are kept in memory. Throws FileError, SearchError, DeviceError and WrongScore,
/// and EngineFailure if the last engine fails.
SearchStatistics scan(const ProfileOpener& open_profiles, bool reopenable,
                      const SequenceOpener& open_sequences, const ScanOptions& options,
                      ScanObserver& observer);

}  // namespace gpuhmm
