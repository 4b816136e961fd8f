// Chooses and makes the engines of a search from what the user asked for and what the machine has.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "filter/engine.hpp"
#include "opencl/choice.hpp"
#include "opencl/device_settings.hpp"

namespace gpuhmm {

/// Told of something that went wrong and was recovered, in one line.
using Warning = std::function<void(const std::string&)>;

/// What engines are to be made for.
struct ExpectedWork {
  double cells = 0;            ///< nodes x residues, as far as known
  bool more = false;           ///< there are more sequences than can be told
  bool small_batches = false;  ///< the host scores as many at a time as it has threads
};

/// Makes the engines of a pool; the last is the host's (EnginePool).
using EngineSource =
    std::function<std::vector<std::unique_ptr<ScoreEngine>>(const ExpectedWork& work, const Warning& warn)>;

/// The engine that suits the type of a device: fast kernels for GPUs and CPUs, else the general one. It has
/// `threads` threads on the host. `settings` replace what is built in for its kernels; std::invalid_argument
/// if they are not for such a device. Throws EngineFailure.
std::unique_ptr<ScoreEngine> make_device_engine(const DeviceInfo& device, unsigned threads,
                                                const DeviceSettings& settings);

/// Turns --device and --cpu into engines. Devices get the settings that device_table_path() has for them.
class EngineMaker {
 public:
  /// `device`: auto, none, all (every GPU), the name or index of an OpenCL device, or several of these
  /// separated by commas, which then share the work (none among them: the host as well). Named devices are
  /// looked up in a thread of their own; OpenCL is not touched for auto and none.
  EngineMaker(const std::string& device, unsigned threads);

  /// True if devices were named, so that all work goes there.
  bool named() const { return named_.valid(); }

  /// Throws DeviceError if a device named is not there.
  void check() const;

  /// Starts making the engines in a thread of their own, if work of about `cells` is worth it, so that a
  /// device starts while the input is read.
  void begin(double cells);

  /// The devices' engines and, at the end, the host's. With auto, OpenCL is only looked at when the work is
  /// worth starting it or may be, and only a GPU is preferred to the host. A named device that cannot be
  /// opened throws DeviceError; one chosen by auto is left out after `warn` was called.
  std::vector<std::unique_ptr<ScoreEngine>> make(const ExpectedWork& work, const Warning& warn);

 private:
  /// Engines and the warnings that arose.
  struct Made {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    std::vector<std::string> warnings;
  };

  bool worth_starting(double cells) const;
  Made open_devices() const;

  bool automatic_, none_;
  std::shared_future<NamedDevices> named_;  // if any are
  unsigned threads_;
  std::future<Made> begun_;
};

}  // namespace gpuhmm
