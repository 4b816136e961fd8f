// The common options of `gpuhmm search` and `gpuhmm scan`, and the request that they describe.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/command.hpp"
#include "cli/commands/profile_source.hpp"
#include "cli/commands/run_context.hpp"
#include "cli/commands/search_outputs.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/engine_maker.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/run.hpp"
#include "gpuhmm/run_plan.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm::cli {

/// One run of search or scan.
struct RunRequest {
  std::string profiles, sequences;  ///< files as the user named them
  OutputPaths paths;
  ReportStyle style;
  Thresholds thresholds;
  std::string device = "auto";
  unsigned threads = 1;
  std::optional<std::size_t> batch_residues;  ///< absent: the default of search or scan
  Verification verification;
  bool check_alphabet = true;  ///< warn if the sequences seem to have another alphabet than the profiles

  /// True if an output shows alignments.
  bool alignments() const { return style.alignments && (paths.report || paths.json); }
};

/// The hits that the outputs show.
HitsWanted wanted_hits(const RunRequest& request);

/// All options of the command.
OptionTable run_options(ReportKind kind);
/// The request that the command line describes. Throws UsageError.
RunRequest run_request(const Arguments& arguments, ReportKind kind);

/// The threads of the run: as many as are asked for, or, by a server, as it allows.
unsigned threads_of(const RunRequest& request, const RunContext& context);

/// Throws UsageError if an output of the request would replace an input of the context, or another output.
void check_files(const RunRequest& request, const RunContext& context);

/// The sequences of a command line, for all sections of a run.
class RunSequences {
 public:
  /// `profiles` must outlive this.
  RunSequences(const Arguments& arguments, const RunInput& input, const ProfileSource& profiles);
  /// The sequences; the first call maps a prepared database. What can be read only once is kept in memory if
  /// the profiles may be of both generations. Throws FileError.
  const SequenceSource& source();
  /// Whether they can be opened more than once; to be asked behind source().
  bool reopenable() const { return reopenable_; }
  /// The same sequences for a server's engines; null: there are none.
  ResidentSequences* resident() const;

 private:
  const ProfileSource& profiles_;
  RunInput input_;
  std::optional<SequenceFormat> format_;
  unsigned threads_;
  EmptyInput empty_;
  bool reopenable_;
  std::optional<SequenceSource> source_;
};

/// The engines of a run: a server's, or its own.
class RunEngines {
 public:
  /// Begins to make engines if that is worth it. All arguments must outlive this.
  RunEngines(const RunRequest& request, const RunContext& context);
  /// Throws DeviceError if a named device is missing.
  void check() const;
  /// Whether the user named devices.
  bool device_named() const;
  /// The library's options for the request.
  RunOptions options(WorkMeter& meter);

 private:
  const RunRequest& request_;
  const RunContext& context_;
  std::optional<EngineMaker> maker_;  // nothing: the server's
};

/// Estimates profiles, nodes and residues from the sizes of the files; 0 if a size is unknown, as for pipes.
RunSize expected_size(const RunContext& context);
/// The work by that, nodes times residues.
double expected_cells(const RunContext& context);

/// Calls start_one_device() for the run, unless a server has devices for it.
void start_devices(const Arguments& arguments, const RunContext& context);

/// True if the file can be opened more than once.
bool is_reopenable(const std::string& path);

/// Throws UsageError if an input can be read only once; `what` ("a plan") needs files.
void require_files(const Arguments& arguments, const RunContext& context, const std::string& what);

/// The number of sequences that passed a profile's filter, or its exact scores, and were aligned.
struct Survivors {
  std::string profile;
  std::int64_t aligned, searched;
};

/// Prints times, rates and the number of survivors of each profile to standard error.
void print_statistics(const SearchStatistics& statistics, std::span<const Survivors> survivors);

}  // namespace gpuhmm::cli
