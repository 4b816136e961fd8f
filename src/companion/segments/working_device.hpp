// An OpenCL device at work on segments: its queue, its kernels, and memory that is kept from call to call.
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

/// Not thread-safe. Calls throw EngineFailure.
class WorkingDevice {
 public:
  /// Its kernels are those of the program made of `files` of cl/, one after the other.
  WorkingDevice(const DeviceInfo& info, std::vector<std::string> files);

  const DeviceInfo& info() const { return device_.info(); }
  /// For copies.
  const Queue& queue() const { return queue_; }

  /// Memory of at least `count` elements of T. It keeps its content until more is asked for under the same
  /// name.
  template <class T>
  const cl::Buffer& memory(const std::string& name, std::size_t count) {
    return memory_of(name, count * sizeof(T));
  }

  /// Launches `groups` work-groups of `group` work-items of a kernel of the program, built with `options`,
  /// with its arguments in order. `name` must be a literal.
  template <class... Arguments>
  void launch(const std::string& options, const char* name, std::size_t groups, std::size_t group,
              const Arguments&... arguments) {
    launches_.note(name, queue_.launch(kernel_of(options, name), {groups * group, group}, arguments...));
  }

  /// What the kernels launched before the last call of collect_times() took on the device.
  struct KernelTime {
    std::string kernel;
    double seconds = 0;
  };
  /// Waits for all that was launched.
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
