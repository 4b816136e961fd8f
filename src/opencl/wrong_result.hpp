// The error thrown when a device computes a wrong result.
#pragma once

#include <string>

#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// A result of a device is out of range, contradicts itself, or differs from the host's. Its other results
/// cannot be trusted either.
class WrongDeviceResult : public EngineFailure {
 public:
  /// `what`: what is wrong, such as "a position outside the vector".
  WrongDeviceResult(const std::string& device, const std::string& what)
      : EngineFailure(device + " gave a wrong result (" + what + "): do not use this device") {}
};

}  // namespace gpuhmm
