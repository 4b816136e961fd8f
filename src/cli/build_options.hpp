// The options of `gpuhmm build`, and the request made of them.
#pragma once

#include "cli/command_build.hpp"

namespace gpuhmm::cli {

OptionTable build_options();
/// The request of a command line with these options. Throws UsageError.
BuildRequest build_request(const Arguments& arguments);
/// Throws UsageError for numbers out of their range, and for outputs that cannot be standard output.
void check_build_request(const BuildRequest& request);

}  // namespace gpuhmm::cli
