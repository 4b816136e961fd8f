// Sets the variable by which NVIDIA's driver chooses its devices.
#include "cli/one_device.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "gpuhmm/engine_maker.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kVisible = "CUDA_VISIBLE_DEVICES";

bool is_nvidia(std::string device) {
  std::ranges::transform(device, device.begin(), [](unsigned char c) { return std::tolower(c); });
  return device == "nvidia";
}

}  // namespace

void start_one_device(const std::string& device, double cells) {
  const bool one = device == "auto" || is_nvidia(device) || (device == "all" && one_device_suffices(cells));
  if (!one) return;
  const char* const visible = std::getenv(kVisible);
  const std::string all = visible != nullptr ? visible : "0";
  ::setenv(kVisible, all.substr(0, all.find(',')).c_str(), 1);
}

}  // namespace gpuhmm::cli
