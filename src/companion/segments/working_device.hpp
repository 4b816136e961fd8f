// An OpenCL device with its queue, kernels, and buffers that are reused from call to call.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "opencl/command_log.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm {

/// A device in use by SegmentDevice or RegionDevice. Not thread-safe. All calls throw EngineFailure.
class WorkingDevice {
 public:
  /// Opens the device. `files`: names of files in cl/ that make up the program, in this order.
  WorkingDevice(const DeviceInfo& info, std::vector<std::string> files);

  const DeviceInfo& info() const { return device_.info(); }
  /// The queue, for copies.
  const Queue& queue() const { return queue_; }

  /// The buffer called `name`, of at least `count` elements of T. It keeps its content until a larger one is
  /// requested under the same name.
  template <class T>
  const cl::Buffer& memory(const std::string& name, std::size_t count) {
    return memory_of(name, count * sizeof(T));
  }

  /// Launches kernel `name` of the program built with `options`, in `groups` work-groups of `group`
  /// work-items, with its arguments in order. `name` must be a string literal.
  template <class... Arguments>
  void launch(const std::string& options, const char* name, std::size_t groups, std::size_t group,
              const Arguments&... arguments) {
    launches_.note(name, queue_.launch(kernel_of(options, name), {groups * group, group}, arguments...));
  }

  /// Run time of a kernel on the device.
  struct KernelTime {
    std::string kernel;
    double seconds = 0;
  };
  /// Waits for all launched kernels and collects their times in kernel_times().
  void collect_times();
  const std::vector<KernelTime>& kernel_times() const { return kernel_times_; }

 private:
  const cl::Buffer& memory_of(const std::string& name, std::size_t bytes);
  const cl::Kernel& kernel_of(const std::string& options, const char* name);

  OpenDevice device_;
  Queue queue_;
  std::vector<std::string> files_;
  std::map<std::string, GrowingBuffer> memory_;
  std::map<std::string, KernelSet> programs_;  // by options
  CommandLog<const char*> launches_;
  std::vector<KernelTime> kernel_times_;
};

}  // namespace gpuhmm
