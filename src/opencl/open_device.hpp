// A device in use: its context, its memory and its kernels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/device.hpp"
#include "opencl/cl.hpp"
#include "opencl/kernel_sources.hpp"
#include "opencl/memory_use.hpp"
#include "opencl/program_cache.hpp"

namespace gpuhmm {

/// An open device. Any number of threads may call. Every call throws EngineFailure, whose text begins with
/// the device's name.
class OpenDevice {
 public:
  /// Opens the device with the index info.index in list_devices(). `sources` must outlive it.
  explicit OpenDevice(const DeviceInfo& info, const KernelSources& sources = kernel_sources());
  OpenDevice(const OpenDevice&) = delete;
  OpenDevice& operator=(const OpenDevice&) = delete;

  const DeviceInfo& info() const { return info_; }
  const cl::Context& context() const { return context_; }
  const cl::Device& device() const { return device_; }
  /// One line of text for messages.
  std::string description() const { return "OpenCL, " + info_.name + " (" + info_.platform + ")"; }
  /// True if the device can compute in double precision.
  bool double_precision() const;

  /// A new buffer for `count` elements of T, at least one.
  template <class T>
  cl::Buffer buffer(std::size_t count, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    return memory(std::max<std::size_t>(count, 1) * sizeof(T), flags);
  }

  /// What was taken of it so far; `name` stands for it.
  DeviceCosts costs(std::string name) const {
    return {.device = std::move(name),
            .bytes = memory_use_.most(),
            .memory = info_.memory,
            .build_seconds = programs_.build_seconds()};
  }

  /// A kernel of the program that consists of `files`, one after the other, with these build options. The
  /// program is built at its first use (ProgramCache). The kernel belongs to the caller: one thread at a
  /// time.
  cl::Kernel kernel(const std::vector<std::string>& files, const std::string& name,
                    const std::string& options) const;

  /// Begins to build that program in a thread of its own, if it is not built yet; not for a CPU, whose
  /// threads have other work. A failure shows at the first use.
  void begin_program(const std::vector<std::string>& files, const std::string& options) const {
    if (info_.type != DeviceType::Cpu) programs_.begin(files, options);
  }

  /// A lock to be held while commands run that others may not accompany: that of a CPU, as PoCL 3.1 may abort
  /// where threads launch kernels of new shapes at the same time. Of other devices: none.
  std::unique_lock<std::mutex> turn() const {
    return info_.type == DeviceType::Cpu ? std::unique_lock(turn_) : std::unique_lock<std::mutex>();
  }

  /// Runs `body`; turns cl::Error into EngineFailure.
  template <class Body>
  auto guarded(const Body& body) const {
    try {
      return body();
    } catch (const cl::Error& error) {
      fail(error);
    }
  }

 private:
  cl::Buffer memory(std::size_t bytes, cl_mem_flags flags) const;
  [[noreturn]] void fail(const cl::Error& error) const;

  DeviceInfo info_;
  cl::Device device_;
  cl::Context context_;
  mutable ProgramCache programs_;  // has its own lock
  mutable std::mutex turn_;
  mutable MemoryUse memory_use_;  // has its own lock
};

}  // namespace gpuhmm
