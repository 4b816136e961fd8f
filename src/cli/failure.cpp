// From exceptions to exit codes.
#include "cli/failure.hpp"

#include <exception>
#include <new>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm::cli {

Failure current_failure() {
  try {
    throw;
  } catch (const UsageError& error) {
    const std::string command = error.command.value_or("");
    return {kWrongUsage,
            std::string(error.what()) + " (see `gpuhmm help" + (command.empty() ? "" : " " + command) + "`)"};
  } catch (const DeviceError& error) {
    return {kNoDevice, error.what()};
  } catch (const std::bad_alloc&) {
    return {kFailed, "out of memory"};
  } catch (const std::exception& error) {
    return {kFailed, error.what()};
  }
}

}  // namespace gpuhmm::cli
