// Options that the commands on numbers share: raw files.
#pragma once

#include "cli/command.hpp"
#include "formats/numbers/numbers.hpp"

namespace gpuhmm::cli {

/// Adds --dtype and --big-endian.
void add_raw_options(OptionTable& all);
/// The values of these options. Throws UsageError.
NumberOptions raw_options_from(const Arguments& arguments);

}  // namespace gpuhmm::cli
