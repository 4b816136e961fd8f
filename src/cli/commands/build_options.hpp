// The options of `gpuhmm build`, and the request made of them.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "gpuhmm/build.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm::cli {

/// One run: a profile for each alignment of a file.
struct BuildRequest {
  std::string profiles;                          ///< path of the output
  std::string alignments;                        ///< path
  std::optional<SequenceFormat> format;          ///< of the alignment; by content if there is none
  std::optional<std::string> name;               ///< of the profile; the file must have one alignment
  std::optional<AlphabetKind> alphabet;          ///< guessed if not given
  std::optional<std::string> null_model, prior;  ///< paths of parameter files
  std::optional<std::string> matrix;             ///< path of the substitution matrix for match emissions
  float matrix_weight = 20;                      ///< pseudocounts a column
  std::optional<std::string> counts, annotated;  ///< paths of outputs
  bool append = false, force = false;
  bool binary = false;
  bool traces = false;  ///< print the paths of all rows
  std::string command_line;
  BuildOptions options;
};

/// The table of options.
OptionTable build_options();
/// The request of a command line with these options. Throws UsageError, also for numbers out of their range
/// and for outputs that cannot be standard output.
BuildRequest build_request(const Arguments& arguments);

}  // namespace gpuhmm::cli
