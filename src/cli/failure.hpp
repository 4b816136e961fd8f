// How errors end a command: the exit code and the line on standard error.
#pragma once

#include <string>

namespace gpuhmm::cli {

/// The end of a command that failed.
struct Failure {
  int code;             ///< an ExitCode
  std::string message;  ///< without "gpuhmm: "
};

/// The failure that the exception now handled stands for. To be called in a catch block.
Failure current_failure();

}  // namespace gpuhmm::cli
