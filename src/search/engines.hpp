// Chooses and makes the engines of a search from what the user asked for and what the machine has.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "filter/engine.hpp"
#include "opencl/device.hpp"

namespace gpuhmm {

/// The device asked for cannot be used: what() is one line. Ends the program with exit code 3.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Told of something that went wrong and was got over, in one line.
using Warning = std::function<void(const std::string&)>;

/// Turns --device and --cpu into engines.
class EngineMaker {
 public:
  /// `device`: auto, none, all (every GPU), the name or index of an OpenCL device, or several of these
  /// separated by commas, which then share every batch (none among them: the host as well). Named devices are
  /// looked up at once: throws DeviceError if one is not there. OpenCL is not touched for auto and none.
  EngineMaker(const std::string& device, unsigned threads);

  /// True if devices were named, so that all work goes there.
  bool named() const { return !devices_.empty(); }

  /// Engines in order of preference; the last is the host's. With auto, OpenCL is only looked at when the
  /// work of the first batch, `cells` (nodes x residues), is worth starting it or there are `more` batches,
  /// and only a GPU is preferred to the host. A named device that cannot be opened throws DeviceError; one
  /// chosen by auto is done without after `warn` was told.
  std::vector<std::unique_ptr<ScoreEngine>> make(double cells, bool more, const Warning& warn) const;

 private:
  bool automatic_;
  bool host_too_ = false;
  std::vector<DeviceInfo> devices_;
  unsigned threads_;
};

}  // namespace gpuhmm
