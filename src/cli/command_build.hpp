// `gpuhmm build`.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "formats/sequence/sequence_format.hpp"
#include "plan7/building/build_profile.hpp"

namespace gpuhmm::cli {

/// One run: a profile for each alignment of a file.
struct BuildRequest {
  std::string profiles;                          ///< path of the output
  std::string alignments;                        ///< path
  std::optional<SequenceFormat> format;          ///< of the alignment; told by content if there is none
  std::optional<std::string> name;               ///< of the profile; the file must have one alignment
  std::optional<AlphabetKind> alphabet;          ///< guessed if not given
  std::optional<std::string> null_model, prior;  ///< paths of parameter files
  std::optional<std::string> matrix;             ///< path of the substitution matrix for match emissions
  float matrix_weight = 20;                      ///< pseudocounts a column
  std::optional<std::string> counts, annotated;  ///< paths of outputs
  bool append = false, force = false;
  bool binary = false;
  bool quiet = false;   ///< no progress line
  bool traces = false;  ///< print the paths of all rows
  std::string command_line;
  bool statistics = false;
  BuildOptions options;
};

/// Builds and writes; returns the exit code. Throws FileError and UsageError.
int run_build(const BuildRequest& request);

/// The table entry of `gpuhmm build`.
Command build_command();

}  // namespace gpuhmm::cli
