// `gpuhmm bench tune`: finds the fastest kernel settings for a device.
#pragma once

#include "cli/arguments.hpp"

namespace gpuhmm::cli {

/// Tunes a device and stores the settings. Throws UsageError, DeviceError, FileError, EngineFailure.
void tune(const Arguments& arguments);

}  // namespace gpuhmm::cli
