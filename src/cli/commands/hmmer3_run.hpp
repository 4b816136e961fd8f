// Runs a search or a scan with HMMER3 profiles.
#pragma once

#include <memory>

#include "cli/commands/hmmer3_request.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

/// The profiles of a command line.
struct ProfileSource {
  bool hmmer3 = false;           ///< HMMER3's answer is wanted: by --as, or by the first profile of the file
  std::unique_ptr<Input> input;  ///< standard input or a pipe, which cannot be opened again; null for files
};
/// Looks at the first profile. Throws FileError.
ProfileSource look_at_profiles(const Arguments& arguments);

/// Runs the request and writes all outputs; `profiles`, if there is one, is read in place of the file. Ends
/// the program by leave(). Throws UsageError, FileError, SearchError, ImpossibleComparison.
void run_hmmer3(const Hmmer3Request& request, std::unique_ptr<Input> profiles = nullptr);

}  // namespace gpuhmm::cli
