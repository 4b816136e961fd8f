// Searches and scans with HMMER3 profiles (hmmsearch, hmmscan of HMMER 3.3.2).
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/hmmer3_profile.hpp"
#include "gpuhmm/hmmer3_profile_file.hpp"
#include "gpuhmm/hmmer3_report.hpp"
#include "gpuhmm/run.hpp"
#include "gpuhmm/run_plan.hpp"

namespace gpuhmm::hmmer3 {

/// Devices that stay open between runs, which take turns at them: one has them from its first work for them
/// to its end.
class OpenedDevices {
 public:
  /// Opens the devices; `threads` host threads prepare their data. Throws DeviceError.
  OpenedDevices(const std::vector<DeviceInfo>& devices, unsigned threads);
  ~OpenedDevices();
  OpenedDevices(const OpenedDevices&) = delete;
  OpenedDevices& operator=(const OpenedDevices&) = delete;

  struct State;
  /// For runs.
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Options of search() and scan(). Of the options of the base class the thresholds and engines are not used.
struct SearchOptions : gpuhmm::RunOptions {
  Options hmmer3;
  /// Devices that run the filters, Forward and Backward; none: the host. A sample of their results is
  /// verified.
  std::vector<DeviceInfo> devices;
  /// Without `devices`: uses the first GPU, if there is one, for large amounts of work. One that cannot be
  /// opened, or that fails, is warned of.
  bool gpu_for_much_work = false;
  /// With `gpu_for_much_work`: opens the GPU at once, waits for it, and uses it for all batches, however
  /// small. For runs that are known to be large, and samples of these.
  bool gpu_at_once = false;
  /// The caller's devices, used in place of `devices`, or of the first GPU with `gpu_for_much_work`. They
  /// must outlive the run. May be null.
  OpenedDevices* opened = nullptr;
  /// Nodes of the profiles that are in memory at the same time; a node takes about 300 bytes.
  std::size_t group_nodes = 200'000;
  /// Where a profile of a search or a sequence of a scan is damaged or lacks a cut-off, write the results
  /// of those before it before that error is thrown, as HMMER3's programs do.
  bool results_before_errors = false;
};

/// A profile has no cut-off of the kind that was asked for.
class MissingCutoff : public SearchError {
 public:
  MissingCutoff(CutoffKind kind, const std::string& profile_name);
  /// "GA", "NC" or "TC".
  const char* tag() const;
  const std::string& profile() const { return profile_; }

 private:
  CutoffKind kind_;
  std::string profile_;
};

/// Receives the hits of every query with the time that its comparisons took.
class SearchObserver : public ResultObserver<const Query&, QueryResult&&, const QueryTimes&> {
 public:
  /// An error ends the run with this query, or before a query that could not be read; the results of those
  /// before it are written. The last call.
  virtual void interrupted(const std::optional<Query>& /*query*/) {}
};

/// Opens the profile file again for each pass.
using ProfileOpener = std::function<ProfileReader()>;

/// Whether a run of this size uses a GPU, if there is one, with SearchOptions::gpu_for_much_work.
bool is_much_work(const RunSize& size, ReportKind kind, const SearchOptions& options);
/// Whether it should have it at once (SearchOptions::gpu_at_once): the host alone would need seconds, longer
/// than the GPU takes to start.
bool is_worth_waiting(const RunSize& size, ReportKind kind, const SearchOptions& options);

/// Searches the sequences with every profile. `reopenable`: open_sequences may be called more than once;
/// otherwise all profiles are searched in one pass. Throws FileError, MissingCutoff, ImpossibleComparison;
/// DeviceError if a device cannot be opened, WrongScore if one computes wrongly.
SearchStatistics search(ProfileReader& profiles, const SequenceOpener& open_sequences, bool reopenable,
                        const SearchOptions& options, SearchObserver& observer);

/// Scans every sequence against every profile. `reopenable`: open_profiles may be called more than once;
/// otherwise all sequences are kept in memory. Throws as search() does; of profiles without a cut-off only
/// those that some sequence passes the bias filter of.
SearchStatistics scan(const ProfileOpener& open_profiles, bool reopenable,
                      const SequenceOpener& open_sequences, const SearchOptions& options,
                      SearchObserver& observer);

}  // namespace gpuhmm::hmmer3
