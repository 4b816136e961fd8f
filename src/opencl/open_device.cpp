// Opens a device and turns the errors of its calls into EngineFailure.
#include "opencl/open_device.hpp"

#include <mutex>

#include "gpuhmm/device.hpp"
#include "opencl/enumerate.hpp"
#include "opencl/when_available.hpp"

namespace gpuhmm {

namespace {

cl::Device device_of(const DeviceInfo& info) {
  const std::vector<PlatformDevice> devices = enumerate_devices();
  if (info.index >= devices.size()) {
    throw EngineFailure(info.name + ": the device is gone; devices left: " + std::to_string(devices.size()),
                        CL_DEVICE_NOT_FOUND);
  }
  return devices[info.index].device;
}

// Drivers make one context after the other; if they are asked for several at a time, all are late.
cl::Context made_alone(const cl::Device& device) {
  static std::mutex making;
  const std::lock_guard lock(making);
  return when_available([&] { return cl::Context(device); });
}

}  // namespace

OpenDevice::OpenDevice(const DeviceInfo& info, const KernelSources& sources)
    : info_(info),
      device_(device_of(info)),
      context_(guarded([&] { return made_alone(device_); })),
      programs_(context_, device_, info.name, sources) {}

bool OpenDevice::double_precision() const {
  return guarded([&] { return device_.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0; });
}

cl::Kernel OpenDevice::kernel(const std::vector<std::string>& files, const std::string& name,
                              const std::string& options) const {
  return guarded([&] { return cl::Kernel(programs_.program(files, options), name.c_str()); });
}

cl::Buffer OpenDevice::memory(std::size_t bytes, cl_mem_flags flags) const {
  return guarded([&] {
    cl::Buffer buffer(context_, flags, bytes);
    const bool of_host = (flags & CL_MEM_ALLOC_HOST_PTR) != 0;
    if (!of_host) memory_use_.add(buffer, bytes);
    return buffer;
  });
}

void OpenDevice::fail(const cl::Error& error) const {
  throw EngineFailure(info_.name + ": " + error.what() + " failed with " + status_name(error.err()),
                      error.err());
}

}  // namespace gpuhmm
