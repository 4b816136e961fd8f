// What `gpuhmm search` and `gpuhmm scan` are asked to do: their common options, and the request made of them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/command.hpp"
#include "cli/commands/search_outputs.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/run.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm::cli {

/// One run of search or scan.
struct RunRequest {
  std::string profiles, sequences;  ///< files as the user named them
  OutputPaths paths;
  ReportStyle style;
  Thresholds thresholds;
  std::optional<SequenceFormat> format;  ///< of the sequences; by content if absent
  EmptyInput empty_input = EmptyInput::Refused;
  std::string device = "auto";
  unsigned threads = 1;
  std::optional<std::size_t> batch_residues;  ///< the run's own default if absent
  Verification verification;
  bool check_alphabet = true;  ///< warn of sequences of another alphabet than the profiles'

  /// True if alignment rows are needed.
  bool alignments() const { return style.alignments && (paths.report || paths.json); }
};

/// All options that both commands have.
OptionTable run_options(ReportKind kind);
/// The request of a command line with these options. Throws UsageError.
RunRequest run_request(const Arguments& arguments, ReportKind kind);

/// The two input files of a request where they were found (HMMERDB, BLASTDB).
struct LocatedInputs {
  std::string profiles, sequences;
};
/// Looks for the inputs; checks that no output would replace one of them. Throws UsageError.
LocatedInputs locate_inputs(const RunRequest& request);

/// The work to expect (nodes x residues), about, from the sizes of the files; 0 where one has none.
double expected_cells(const LocatedInputs& inputs);

/// The options of the run that is asked for, with engines from `maker`, which must outlive it.
RunOptions options_for(const RunRequest& request, EngineMaker& maker, WorkMeter& meter);

/// True if the file can be opened more than once.
bool is_reopenable(const std::string& path);

/// The sequences that a profile's filter, or its exact scores, let pass: those were aligned.
struct Survivors {
  std::string profile;
  std::int64_t aligned, searched;
};

/// Reports times and rates on standard error, and how many sequences each profile was aligned to.
void print_statistics(const SearchStatistics& statistics, std::span<const Survivors> survivors);

}  // namespace gpuhmm::cli
