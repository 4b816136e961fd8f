// `gpuhmm fetch`.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// One run of `gpuhmm fetch`.
struct FetchRequest {
  std::string profiles, key;
  bool by_number = false;    ///< the key is a place in the order of names
  std::string output = "-";  ///< "-" is standard output
};

/// Returns the exit code. Throws UsageError and FileError.
int run_fetch(const FetchRequest& request);

Command fetch_command();

}  // namespace gpuhmm::cli
