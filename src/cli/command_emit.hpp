// `gpuhmm emit`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// One run of `gpuhmm emit`.
struct EmitRequest {
  std::string profiles;  ///< path
  int count = 10;        ///< sequences a profile; below 1 none
  bool alignment = false, consensus = false;
  std::int32_t seed = 0;
  std::optional<std::string> output;  ///< path; none: standard output
  bool quiet = false;
  bool statistics = false;  ///< print counts and times
};

/// Writes the sequences; returns the exit code. Throws UsageError and FileError.
int run_emit(const EmitRequest& request);

/// The table entry of `gpuhmm emit`.
Command emit_command();

}  // namespace gpuhmm::cli
