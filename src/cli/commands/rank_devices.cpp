// Deals devices out in turn.
#include "cli/commands/rank_devices.hpp"

#include <cstddef>
#include <sstream>
#include <vector>

#include "gpuhmm/device.hpp"

namespace gpuhmm::cli {

std::string devices_of_rank(const std::string& device, int rank, int ranks) {
  if (ranks < 2 || device == "none") return device;
  std::vector<std::string> all;
  if (device == "auto" || device == "all") {
    for (const DeviceInfo& info : list_devices()) {
      if (info.type == DeviceType::Gpu) all.push_back(std::to_string(info.index));
    }
    if (all.empty()) return device;
  } else {
    std::istringstream names(device);
    for (std::string name; std::getline(names, name, ',');) all.push_back(name);
  }
  const auto count = static_cast<std::size_t>(ranks), own = static_cast<std::size_t>(rank);
  if (all.size() <= count) return all[own % all.size()];
  std::string share;
  for (std::size_t i = own; i < all.size(); i += count) share += (share.empty() ? "" : ",") + all[i];
  return share;
}

}  // namespace gpuhmm::cli
