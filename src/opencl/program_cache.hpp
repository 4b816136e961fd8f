// The programs of one device, each built once, at its first use.
#pragma once

#include <future>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "opencl/cl.hpp"
#include "opencl/kernel_sources.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

/// Any number of threads may call.
class ProgramCache {
 public:
  /// `device_name` begins the text of errors. `sources` must outlive the cache.
  ProgramCache(cl::Context context, cl::Device device, std::string device_name, const KernelSources& sources);

  /// The program that consists of `files`, one after the other, with these build options. The first caller
  /// builds it, others wait. If that fails, all of them get the EngineFailure, whose text names the last file
  /// and contains the compiler's first error.
  cl::Program program(const std::vector<std::string>& files, const std::string& options);

  /// Begins to build that program in a thread of its own. If it fails, program() throws. The destructor waits
  /// for such threads.
  void begin(const std::vector<std::string>& files, const std::string& options);

  /// Seconds in which at least one program was being built.
  double build_seconds() const { return building_.seconds(); }

 private:
  using Key = std::pair<std::vector<std::string>, std::string>;  // files and options
  cl::Program build(const Key& key) const;

  cl::Context context_;
  cl::Device device_;
  std::string device_name_;
  const KernelSources& sources_;
  StageClock building_;  // has its own lock
  std::mutex mutex_;
  std::map<Key, std::shared_future<cl::Program>> programs_;
  std::vector<std::future<void>> begun_;  // threads, which use all of the above
};

}  // namespace gpuhmm
