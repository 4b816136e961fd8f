// The inputs of a run that is planned: how large they are, and samples of them.
#pragma once

#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands/record_sample.hpp"
#include "cli/commands/run_context.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/run_plan.hpp"

namespace gpuhmm::cli {

/// The profiles and sequences of a run, counted; the records that samples are taken from are held in memory.
class PlanInputs {
 public:
  /// Reads both files, each for `seconds` at most: of larger ones the rest is taken to be like what was read.
  /// Throws UsageError, FileError.
  PlanInputs(const Arguments& arguments, ReportKind kind, const RunContext& context, double seconds);

  const RunSize& whole() const { return whole_; }
  /// Whether the files were read to their ends, so that whole() is exact.
  bool profiles_counted() const { return profiles_counted_; }
  bool sequences_counted() const { return sequences_counted_; }
  /// How long it takes to read the sequences once.
  double reading_seconds() const { return reading_seconds_; }
  /// Samples of fewer nodes cannot be had: binary profiles are taken as a whole.
  RunSize least() const { return {.nodes = profiles_fixed_ ? whole_.nodes : 0}; }

  /// The inputs of a sample: of about so many nodes and residues, or the file itself where it is all.
  struct Sample {
    RunInput profiles, sequences;
    RunSize size;
  };
  Sample sample(const RunSize& wanted) const;

 private:
  void read_profiles(double seconds);
  void count_binary_profiles();
  void read_sequences(const Arguments& arguments, const RunContext& context, ReportKind kind, double seconds);

  RunInput profile_file_, sequence_file_;
  RecordSample profiles_, sequences_;
  RunSize whole_;
  bool profiles_fixed_ = false;
  bool profiles_counted_ = true, sequences_counted_ = true;
  double reading_seconds_ = 0;
};

}  // namespace gpuhmm::cli
