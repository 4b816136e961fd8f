// Makes engines from the user's options: chooses devices by the work, and opens them.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

/// The work for which engines are made.
struct ExpectedWork {
  double cells = 0;            ///< nodes x residues, as far as they are known
  bool more = false;           ///< there are further sequences, not counted in `cells`
  bool small_batches = false;  ///< the host scores one batch per thread at a time
};

/// Receives the engine of one of several devices as soon as the device is open, while others still open.
/// `devices`: how many there are. Several threads may call at the same time.
using EngineOpened = std::function<void(ScoreEngine& engine, std::size_t devices)>;

/// Makes the engines of a pool; the last one is the host's (see EnginePool). `opened` may be empty.
using EngineSource = std::function<std::vector<std::unique_ptr<ScoreEngine>>(
    const ExpectedWork& work, const Warning& warn, const EngineOpened& opened)>;

/// Makes the engine that suits the type of a device: fast kernels for GPUs and CPUs, otherwise the general
/// one. It uses `threads` host threads. `settings` replace built-in settings of its kernels. Throws
/// std::invalid_argument for settings that such a device does not have, and EngineFailure.
std::unique_ptr<ScoreEngine> make_device_engine(const DeviceInfo& device, unsigned threads,
                                                const DeviceSettings& settings);

/// Which of several devices are worth opening for so many cells: the fastest, and each further one that saves
/// more time than opening it takes. Their places, in order.
std::vector<std::size_t> worth_opening(const std::vector<DeviceInfo>& devices, double cells);
/// True if worth_opening() would choose one of several alike GPUs, if they are mid-range ones or faster. For
/// runs that are to know it before the driver lists devices. False for 0 cells, which are not known.
bool one_device_suffices(double cells);

/// Makes engines for --device and --cpu. Devices get their settings in the file device_table_path().
class EngineMaker {
 public:
  /// `device`: "auto", "none", "all" (every GPU), the name or index of an OpenCL device, or several devices
  /// separated by commas, which then share the work ("none" among them stands for the host). Named devices
  /// are looked up in a separate thread; OpenCL is not loaded for "auto" and "none".
  EngineMaker(const std::string& device, unsigned threads);

  /// True if devices were named: all work then goes to them.
  bool named() const { return named_.valid(); }

  /// Throws DeviceError if a named device is missing.
  void check() const;

  /// Residues of a batch that the named devices will prefer, if that is known before they are open; else 0.
  /// Throws DeviceError if a named device is missing.
  std::size_t preferred_batch() const;

  /// Starts making the engines that work of about `cells` cells is worth, in separate threads, so that
  /// devices start while the input is read. 0: not known.
  void begin(double cells);

  /// Returns the engines of the devices that are worth_opening, followed by the host's. With "auto", OpenCL
  /// is loaded only if the work is or may be worth it, and only a GPU is preferred to the host. Throws
  /// DeviceError if a named device cannot be opened; calls `warn` and leaves out a device that "auto" chose.
  /// If it opens several devices, it calls `opened`, unless that is empty, for each of them.
  std::vector<std::unique_ptr<ScoreEngine>> make(const ExpectedWork& work, const Warning& warn,
                                                 const EngineOpened& opened = {});

 private:
  /// Engines that are being made, by the places of their devices among those named.
  using Opening = std::map<std::size_t, std::future<std::unique_ptr<ScoreEngine>>>;

  bool worth_starting(double cells) const;
  void open(double cells, Opening& opening) const;

  bool automatic_, none_;
  std::shared_future<NamedDevices> named_;  // valid if devices were named
  unsigned threads_;
  double expected_ = 0;  // cells, as given to begin()
  std::future<Opening> begun_;
};

}  // namespace gpuhmm
