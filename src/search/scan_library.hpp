// The profiles of a scan, read in groups once for each pass over the file.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/record_range.hpp"
#include "gpuhmm/scan.hpp"
#include "search/run_profile.hpp"

namespace gpuhmm {

/// Consecutive profiles of a file.
struct ScanGroup {
  std::deque<RunProfile> models;
  std::int64_t first = 0;  ///< number in the file, from 0, of the first one
  double nodes = 0;        ///< total
  bool last = false;       ///< the file, or the range, ends with this group
  /// Approximate fraction of the file, 0 to 1, up to the group's end, if known.
  std::optional<double> read;

  std::int64_t end() const { return first + static_cast<std::int64_t>(models.size()); }
};

/// The profiles of a file, for any number of passes. The next group is read while the current one is used.
class ScanLibrary {
 public:
  /// Opens the file and reads its first profile. `asked`: thresholds of the run. `reopenable`: `open` may be
  /// called more than once. For several passes, profiles are kept in memory if they have at most `kept_nodes`
  /// nodes in total or if the file cannot be opened again. This and pass() throw FileError, and SearchError
  /// for a profile without the requested cut-offs or for --xnu with a nucleic profile. `range`: the profiles
  /// that are wanted, those before them are given, too; unless it is the whole file, the file is first read
  /// to its end, so that known() is right from the start.
  ScanLibrary(ProfileOpener open, bool reopenable, const Thresholds& asked, double kept_nodes,
              const RecordRange& range);

  /// The alphabet of all profiles.
  AlphabetKind alphabet() const { return alphabet_; }
  /// The number of profiles in the file; during the first pass, of those read so far.
  std::int64_t known() const { return known_; }
  /// Thresholds of the last profile read; after a pass, of the last one in the file.
  const Thresholds& last_thresholds() const { return last_thresholds_; }

  /// One pass: calls body(group) for all groups up to the end of the range in file order. Groups have about
  /// `group_nodes` nodes; a new one begins with the range. `more`: there will be another pass.
  void pass(double group_nodes, bool more, const std::function<void(ScanGroup& group)>& body);

 private:
  void start();
  void count();
  ScanGroup next_group(double nodes);
  void extend(ScanGroup& group, double nodes);

  ProfileOpener open_;
  bool reopenable_;
  Thresholds asked_;
  double kept_nodes_;
  RecordRange range_;
  AlphabetKind alphabet_ = AlphabetKind::Amino;
  std::optional<ProfileBlocks> reader_;
  std::vector<Profile> waiting_;    // read, but of the next group
  std::optional<ScanGroup> begun_;  // the first profiles, read for the alphabet
  std::deque<ScanGroup> kept_;
  bool complete_ = false;   // all profiles are kept
  bool counted_ = false;    // count() has read the file
  std::int64_t taken_ = 0;  // profiles read in this pass
  std::int64_t known_ = 0;
  Thresholds last_thresholds_;
};

}  // namespace gpuhmm
