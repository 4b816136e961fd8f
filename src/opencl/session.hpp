// A device in use: its context, one in-order queue and the programs built so far.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "opencl/cl.hpp"
#include "opencl/device.hpp"

namespace gpuhmm {

/// Not thread-safe: one thread at a time. Every call throws OpenClError, whose text names the device.
class Session {
 public:
  explicit Session(const DeviceInfo& info);

  const DeviceInfo& info() const { return info_; }
  const cl::Context& context() const { return context_; }
  const cl::CommandQueue& queue() const { return queue_; }

  /// A kernel of the program made of `files` of cl/, one after the other; it is built at the first use of
  /// these options. The error of a failed build names the last file and carries the build log.
  cl::Kernel kernel(const std::vector<std::string>& files, const std::string& name,
                    const std::string& options);

  /// Runs `body`, turning cl::Error into OpenClError.
  template <class Body>
  auto guarded(const Body& body) const {
    try {
      return body();
    } catch (const cl::Error& error) {
      throw_error(error);
    }
  }

 private:
  [[noreturn]] void throw_error(const cl::Error& error) const;
  cl::Program build(const std::vector<std::string>& files, const std::string& options) const;

  DeviceInfo info_;
  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::map<std::pair<std::vector<std::string>, std::string>, cl::Program> programs_;  // by files and options
};

}  // namespace gpuhmm
