// Compares the needs of a variant with the resources of a device.
#include "experiment/resources.hpp"

#include <algorithm>

namespace gpuhmm::experiment {

std::string grouped_digits(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3;) {
    place -= 3;
    text.insert(place, ",");
  }
  return text;
}

std::optional<std::string> lacking(const DeviceInfo& device, const Needs& needs) {
  const auto reason = [](std::uint64_t needed, const std::string& what, const std::string& has,
                         std::uint64_t present) {
    return "needs " + grouped_digits(needed) + " " + what + "; the device " + has + " " +
           grouped_digits(present);
  };
  if (needs.local_memory > device.local_memory) {
    return reason(needs.local_memory, "bytes of local memory", "has", device.local_memory);
  }
  if (needs.group > device.max_work_group) {
    return reason(needs.group, "work-items in a work-group", "takes", device.max_work_group);
  }
  const std::uint64_t largest = std::min(device.max_allocation, device.memory / 4);
  if (needs.buffer > largest) return reason(needs.buffer, "bytes in one buffer", "can give", largest);
  return std::nullopt;
}

}  // namespace gpuhmm::experiment
