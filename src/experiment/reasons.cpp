// The words for missing figures.
#include "experiment/reasons.hpp"

namespace gpuhmm::experiment {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, ",");
  return text;
}

std::string lacks_bytes(const std::string& resource, std::uint64_t needed, std::uint64_t available) {
  return "needs " + grouped(needed) + " bytes of " + resource + "; the device has " + grouped(available);
}

std::string lacks_items(std::uint64_t needed, std::uint64_t available) {
  return "needs work-groups of " + grouped(needed) + "; the device takes " + grouped(available);
}

}  // namespace gpuhmm::experiment
