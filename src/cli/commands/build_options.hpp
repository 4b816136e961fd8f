// The options of `gpuhmm build`, and the request that they describe.
#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "gpuhmm/build.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm::cli {

/// One run: builds a profile from each alignment of a file.
struct BuildRequest {
  std::string profiles;                          ///< path of the output
  std::string alignments;                        ///< path of the input
  std::optional<SequenceFormat> format;          ///< of the alignments; absent: detected from the content
  std::optional<std::string> name;               ///< of the profile; only for a file with one alignment
  std::optional<AlphabetKind> alphabet;          ///< absent: guessed
  std::optional<std::string> null_model, prior;  ///< paths of parameter files
  std::optional<std::string> matrix;             ///< path of the substitution matrix for match emissions
  float matrix_weight = 20;                      ///< pseudocounts per column
  std::optional<std::string> counts, annotated;  ///< paths of further outputs
  bool append = false, force = false;
  bool binary = false;
  bool traces = false;  ///< print the paths of all rows
  std::string command_line;
  BuildOptions options;
};

/// The options of the command.
OptionTable build_options();
/// The request that the command line describes. Throws UsageError, also for numbers out of range and for
/// outputs that cannot be standard output.
BuildRequest build_request(const Arguments& arguments);

}  // namespace gpuhmm::cli
