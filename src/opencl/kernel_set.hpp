// Keeps the kernels of one program for a thread that launches them many times.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "opencl/open_device.hpp"

namespace gpuhmm {

/// Kernels of one program by name. Not thread-safe. `device` must outlive it.
class KernelSet {
 public:
  /// The program is the text of `files`, one after the other, with these build options.
  KernelSet(const OpenDevice& device, std::vector<std::string> files, std::string options)
      : device_(&device), files_(std::move(files)), options_(std::move(options)) {}

  /// Begins to build the program (OpenDevice::begin_program).
  void begin() const { device_->begin_program(files_, options_); }

  /// The kernel `name`. Throws EngineFailure if the program does not build or has no such kernel.
  const cl::Kernel& operator[](const std::string& name) {
    const auto found = kernels_.find(name);
    if (found != kernels_.end()) return found->second;
    return kernels_.emplace(name, device_->kernel(files_, name, options_)).first->second;
  }

 private:
  const OpenDevice* device_;
  std::vector<std::string> files_;
  std::string options_;
  std::map<std::string, cl::Kernel> kernels_;
};

}  // namespace gpuhmm
