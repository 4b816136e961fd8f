// The error of a device that computes wrongly.
#pragma once

#include <string>

#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// A result of a device that is out of range, contradicts itself, or that the host finds wrong: its other
/// results are not to be trusted either.
class WrongDeviceResult : public EngineFailure {
 public:
  /// `what`: what is wrong, such as "a position outside the vector".
  WrongDeviceResult(const std::string& device, const std::string& what)
      : EngineFailure(device + " gave a wrong result (" + what + "): do not use this device") {}
};

}  // namespace gpuhmm
