// An OpenCL device at work on segments: its queue, its kernels, and memory that is kept from call to call.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "opencl/device.hpp"
#include "opencl/session.hpp"

namespace gpuhmm {

/// One queue in order. Not thread-safe. Calls outside of Session::guarded throw cl::Error.
class DeviceQueue {
 public:
  /// Its kernels are those of the program made of `files` of cl/, one after the other.
  DeviceQueue(const DeviceInfo& info, std::vector<std::string> files);

  const Session& session() const { return session_; }
  const DeviceInfo& info() const { return session_.info(); }

  /// Memory of at least `count` elements of T. It keeps its content until more is asked for under the same
  /// name; getting memory takes long.
  template <class T>
  const cl::Buffer& memory(const std::string& name, std::size_t count) {
    return memory_of(name, count * sizeof(T));
  }

  /// Elements [first, first + count), when all launched before is done.
  template <class T>
  std::vector<T> read(const cl::Buffer& from, std::size_t count, std::size_t first = 0) const {
    std::vector<T> values(count);
    if (count > 0)
      queue_.enqueueReadBuffer(from, CL_TRUE, first * sizeof(T), count * sizeof(T), values.data());
    return values;
  }
  /// Writes to elements [first, first + count).
  template <class T>
  void write(const cl::Buffer& to, const T* values, std::size_t count, std::size_t first = 0) const {
    if (count > 0) queue_.enqueueWriteBuffer(to, CL_TRUE, first * sizeof(T), count * sizeof(T), values);
  }

  /// Launches a kernel of the program, built with `options`, with its arguments in order.
  template <class... Arguments>
  void launch(const std::string& options, const char* name, std::size_t groups, std::size_t group,
              const Arguments&... arguments) {
    cl::Kernel& kernel = kernel_of(options, name);
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
    events_.emplace_back(name, cl::Event());
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * group), cl::NDRange(group),
                                nullptr, &events_.back().second);
  }
  /// Waits for all that was launched.
  void finish() const { queue_.finish(); }

  /// What the kernels launched before the last call of collect_times() took on the device, by their events.
  struct KernelTime {
    std::string kernel;
    double seconds = 0;
  };
  void collect_times();
  const std::vector<KernelTime>& kernel_times() const { return kernel_times_; }

 private:
  struct Memory {
    cl::Buffer buffer;
    std::size_t bytes = 0;
  };
  const cl::Buffer& memory_of(const std::string& name, std::size_t bytes);
  cl::Kernel& kernel_of(const std::string& options, const char* name);

  Session session_;
  std::vector<std::string> files_;
  cl::CommandQueue queue_;  // measures times
  std::map<std::string, Memory> memory_;
  std::map<std::pair<std::string, std::string>, cl::Kernel> kernels_;  // by options and name
  std::vector<std::pair<std::string, cl::Event>> events_;              // of launches, by the kernel's name
  std::vector<KernelTime> kernel_times_;
};

}  // namespace gpuhmm
