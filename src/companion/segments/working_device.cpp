// Buffers by name, and the times of kernels.
#include "companion/segments/working_device.hpp"

#include <algorithm>
#include <utility>

namespace gpuhmm {

WorkingDevice::WorkingDevice(const DeviceInfo& info, std::vector<std::string> files)
    : device_(info), queue_(device_), files_(std::move(files)) {}

const cl::Buffer& WorkingDevice::memory_of(const std::string& name, std::size_t bytes) {
  return memory_[name].at_least(device_, std::max<std::size_t>(bytes, sizeof(cl_long4)));
}

const cl::Kernel& WorkingDevice::kernel_of(const std::string& options, const char* name) {
  return programs_.try_emplace(options, device_, files_, options).first->second[name];
}

void WorkingDevice::collect_times() {
  queue_.finish();
  kernel_times_.clear();
  launches_.take(queue_, [&](const char* kernel, const CommandTime& time) {
    kernel_times_.push_back({kernel, time.seconds()});
  });
}

}  // namespace gpuhmm
