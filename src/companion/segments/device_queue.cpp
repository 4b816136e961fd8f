// Memory, kernels and their times.
#include "companion/segments/device_queue.hpp"

#include <algorithm>

#include "opencl/enumerate.hpp"

namespace gpuhmm {

DeviceQueue::DeviceQueue(const DeviceInfo& info, std::vector<std::string> files)
    : session_(info), files_(std::move(files)) {
  session_.guarded([&] {
    queue_ = cl::CommandQueue(session_.context(), enumerate_devices()[info.index].device,
                              CL_QUEUE_PROFILING_ENABLE);
  });
}

const cl::Buffer& DeviceQueue::memory_of(const std::string& name, std::size_t bytes) {
  Memory& memory = memory_[name];
  if (memory.bytes < bytes || memory.bytes == 0) {
    memory.buffer = cl::Buffer();  // gives the old one back first
    memory.bytes = 0;
    const std::size_t least = std::max<std::size_t>(bytes, sizeof(cl_long4));
    memory.buffer = cl::Buffer(session_.context(), CL_MEM_READ_WRITE, least);
    memory.bytes = least;
  }
  return memory.buffer;
}

cl::Kernel& DeviceQueue::kernel_of(const std::string& options, const char* name) {
  cl::Kernel& kernel = kernels_[{options, name}];
  if (kernel.get() == nullptr) {
    kernel = session_.kernel(files_, name, options);
  }
  return kernel;
}

void DeviceQueue::collect_times() {
  queue_.finish();
  kernel_times_.clear();
  for (const auto& [name, event] : events_) {
    const cl_ulong start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const cl_ulong end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    kernel_times_.push_back({name, static_cast<double>(end - start) * 1e-9});
  }
  events_.clear();
}

}  // namespace gpuhmm
