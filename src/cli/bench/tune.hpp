// `gpuhmm bench tune`.
#pragma once

#include "cli/arguments.hpp"

namespace gpuhmm::cli {

/// Tunes a device and keeps the settings. Throws UsageError, DeviceError, FileError, EngineFailure.
void tune(const Arguments& arguments);

}  // namespace gpuhmm::cli
