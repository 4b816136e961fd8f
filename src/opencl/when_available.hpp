// Opens a device that another process may be about to release.
#pragma once

#include <chrono>
#include <thread>

#include "opencl/cl.hpp"

namespace gpuhmm {

/// Calls open() until the device is available, for a second, and returns its result. A GPU in exclusive mode
/// is not available while a run that has ended still gives it back (start_release_process()), which takes
/// up to half a second. Throws the cl::Error of the last try, or at once one with another status.
template <class Open>
auto when_available(const Open& open, std::chrono::milliseconds pause = std::chrono::milliseconds(50)) {
  constexpr int kTries = 20;
  for (int tries = 1;; ++tries) {
    try {
      return open();
    } catch (const cl::Error& error) {
      const bool busy = error.err() == CL_DEVICE_NOT_AVAILABLE || error.err() == CL_OUT_OF_RESOURCES;
      if (!busy || tries == kTries) throw;
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace gpuhmm
