// What a device computed and what cannot be.
#pragma once

#include <string>

#include "opencl/error.hpp"

namespace gpuhmm {

/// A result of a device that is out of range, contradicts itself, or that the host finds wrong: its other
/// results are not to be trusted either.
class WrongDeviceResult : public OpenClError {
 public:
  /// `what`: what is wrong, such as "a position outside the vector".
  WrongDeviceResult(const std::string& device, const std::string& what)
      : OpenClError(device + " gave a wrong result (" + what + "): do not use this device", 0) {}
};

}  // namespace gpuhmm
