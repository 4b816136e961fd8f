// `gpuhmm convert`.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace gpuhmm::cli {

/// What profiles can be converted to.
enum class ConversionTarget { Text, Binary, Gcg, ExtendedGcg };

/// One run of `gpuhmm convert`.
struct ConvertRequest {
  std::string input, output;
  ConversionTarget target = ConversionTarget::Text;
  bool append = false;  ///< to the output, if that exists
  bool force = false;   ///< replace the output, if that exists
  bool quiet = false;   ///< no report
  bool statistics = false;
};

/// Returns the exit code. Throws UsageError and FileError.
int run_convert(const ConvertRequest& request);

/// The table entry of `gpuhmm convert`.
Command convert_command();

}  // namespace gpuhmm::cli
