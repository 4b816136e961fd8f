// What a search or a scan will take: samples of it are run, and tell about the whole (docs/plan.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/hits.hpp"

namespace gpuhmm {

/// The size of a run or of a sample of one.
struct RunSize {
  double profiles = 0, nodes = 0;
  double sequences = 0, residues = 0;

  double cells() const { return nodes * residues; }
  bool operator==(const RunSize&) const = default;
};

/// What a run has taken, or will take.
struct RunCosts {
  double seconds = 0;            ///< from beginning to end
  double processor_seconds = 0;  ///< of all threads, user and system
  double read = 0;               ///< seconds for reading sequences, at the same time as the others
  double score = 0;              ///< seconds in which something was scored
  double align = 0;              ///< the same for alignments and domains, where they are measured apart
  double report = 0;             ///< the same for reports and tables
  double device = 0;             ///< seconds in which a device computed; of several, their mean
  double hits = 0;               ///< lines of hits in the outputs
  double host_bytes = 0;         ///< memory at its peak
  double device_bytes = 0;       ///< the same on a device; of several, on that with the most
};

/// A run on a sample.
struct RunTrial {
  RunSize size;
  RunCosts costs;
  double batch_residues = 0;  ///< with so many residues a batch ends; 0: not known
};

/// How a run goes through its inputs.
struct RunLoops {
  ReportKind kind = ReportKind::Search;
  /// A batch ends with the sequence that reaches one of these.
  double batch_residues = 0, batch_sequences = 0;
  double group_nodes = 0;  ///< nodes of the profiles of a search that are in memory at a time

  /// Batches of a run of this size, at least 1.
  double batches(const RunSize& size) const;
  /// Residues of its largest batch.
  double largest_batch(const RunSize& size) const;
  /// How many times the profiles, and the sequences, are read.
  double profile_passes(const RunSize& size) const;
  double sequence_passes(const RunSize& size) const;
};

/// Chooses samples: the first one is small and tells how long a run takes to begin. The next ones grow until
/// the time allowed is used or enough of the run is done. The last one is a third of the largest, in
/// sequences if the whole has more of them, otherwise in profiles, to tell the costs of a profile and of a
/// cell apart; it is left out if such a sample was run. A run that fits into the time is done as a whole.
class TrialPlan {
 public:
  /// `seconds`: for all samples together, without the time that each takes to begin. `least`: smaller samples
  /// cannot be had.
  TrialPlan(const RunSize& whole, double seconds, const RunSize& least = {});

  /// The size of the next sample, in nodes and residues; nothing if there are enough. With a number of
  /// profiles or sequences it has the same ones as an earlier sample of so many.
  std::optional<RunSize> next() const;
  /// The sample was run.
  void add(const RunTrial& trial) { trials_.push_back(trial); }

  const std::vector<RunTrial>& trials() const { return trials_; }

 private:
  RunSize sample_of(double cells) const;
  RunSize contrast_to(const RunSize& largest) const;
  bool has_contrast_to(const RunSize& largest) const;

  RunSize whole_, least_;
  double seconds_;
  std::vector<RunTrial> trials_;
};

/// What the whole run will take.
struct Forecast {
  RunCosts costs;
  double start = 0;     ///< seconds until the work begins: opening devices, building kernels
  double profiles = 0;  ///< seconds for reading and preparing profiles
  double measured = 0;  ///< the share of the cells in the largest sample, 0 to 1
};

/// How sequences are read beside the other work.
struct ReadingBeside {
  double seconds = 0;       ///< to read the file once
  unsigned processors = 1;  ///< of the machine
  unsigned threads = 1;     ///< of the run
};

/// Extrapolates from `trials`, at least one; if the whole run is among them, its costs are those measured.
Forecast forecast(const RunSize& whole, const RunLoops& loops, std::span<const RunTrial> trials,
                  const ReadingBeside& reading);

}  // namespace gpuhmm
