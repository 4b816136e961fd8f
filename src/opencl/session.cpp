// Context, queue and program cache of one device; see the header.
#include "opencl/session.hpp"

#include "opencl/enumerate.hpp"
#include "opencl/error.hpp"
#include "opencl/kernel_sources.hpp"

namespace gpuhmm {

Session::Session(const DeviceInfo& info) : info_(info) {
  const std::vector<PlatformDevice> devices = enumerate_devices();
  if (info.index >= devices.size()) {
    throw OpenClError(
        info.name + ": the device is gone, only " + std::to_string(devices.size()) + " are left",
        CL_DEVICE_NOT_FOUND);
  }
  device_ = devices[info.index].device;
  guarded([&] {
    context_ = cl::Context(device_);
    queue_ = cl::CommandQueue(context_, device_);
  });
}

cl::Kernel Session::kernel(const std::vector<std::string>& files, const std::string& name,
                           const std::string& options) {
  const auto key = std::make_pair(files, options);
  auto found = programs_.find(key);
  if (found == programs_.end()) found = programs_.emplace(key, build(files, options)).first;
  return guarded([&] { return cl::Kernel(found->second, name.c_str()); });
}

cl::Program Session::build(const std::vector<std::string>& files, const std::string& options) const {
  std::string text;
  for (const std::string& file : files) {
    const auto source = kernel_sources().find(file);
    if (source == kernel_sources().end()) {
      throw OpenClError(info_.name + ": there is no kernel file " + file, CL_INVALID_VALUE);
    }
    text += source->second;
  }
  return guarded([&] {
    cl::Program program(context_, text);
    try {
      program.build({device_}, options.c_str());
    } catch (const cl::Error& error) {
      throw OpenClError(info_.name + ": " + files.back() + " does not build with " + options + " (" +
                            status_name(error.err()) + "):\n" +
                            program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_),
                        error.err());
    }
    return program;
  });
}

void Session::throw_error(const cl::Error& error) const {
  throw OpenClError(info_.name + ": " + error.what() + " failed with " + status_name(error.err()),
                    error.err());
}

}  // namespace gpuhmm
