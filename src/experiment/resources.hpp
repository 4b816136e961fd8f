// Finds the resource that a variant needs and a device lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "gpuhmm/device.hpp"

namespace gpuhmm::experiment {

/// Resources that a variant needs.
struct Needs {
  std::uint64_t local_memory = 0;  ///< bytes of a work-group
  std::size_t group = 1;           ///< work-items of a work-group
  std::uint64_t buffer = 0;        ///< bytes of the largest buffer
};

/// A text about the first resource that the device lacks: "needs 65,536 bytes of local memory; the device has
/// 32,768". Nothing if it has all. A buffer may take a quarter of the device's memory.
std::optional<std::string> lacking(const DeviceInfo& device, const Needs& needs);

/// The digits of a number with commas: "65,536".
std::string grouped_digits(std::uint64_t number);

}  // namespace gpuhmm::experiment
