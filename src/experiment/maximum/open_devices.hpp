// Opens the devices of a request and runs work on all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "experiment/experiment.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::experiment::maximum {

/// One object per device, of a class that is constructed from a DeviceInfo.
template <class Device>
class OpenDevices {
 public:
  /// Opens those of the first `count` devices that are not open yet.
  void open(const Request& request, std::size_t count) {
    while (devices_.size() < count) {
      devices_.push_back(std::make_unique<Device>(request.devices[devices_.size()]));
    }
  }
  /// Calls body(device, its number) for the first `count` devices in parallel.
  template <class Body>
  void on_each(std::size_t count, const Body& body) const {
    parallel_for(static_cast<unsigned>(count), count, 1,
                 [&](std::size_t i, std::size_t) { body(*devices_[i], i); });
  }
  /// Seconds of the kernels on the slowest of the first `count` devices.
  double slowest(std::size_t count) const {
    double seconds = 0;
    for (std::size_t i = 0; i < count; ++i) seconds = std::max(seconds, devices_[i]->kernel_seconds());
    return seconds;
  }
  const std::vector<std::unique_ptr<Device>>& all() const { return devices_; }

 private:
  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace gpuhmm::experiment::maximum
