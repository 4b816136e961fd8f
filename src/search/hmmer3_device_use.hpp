// The devices that a search or a scan with HMMER3 profiles uses: opened while it reads its input, or while
// the host begins.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "search/hmmer3_devices.hpp"

namespace gpuhmm::hmmer3 {

/// The first GPU; none, and a line of text if it could not be opened.
struct OpenedGpu {
  std::vector<DeviceStages> devices;
  std::string warning;
};
/// Opens it, if there is one; `threads` host threads prepare its data.
OpenedGpu open_first_gpu(unsigned threads);

/// The devices that no run has at the moment.
struct OpenedDevices::State {
  /// Waits until no other run has them, and takes them. Throws RunStopped if `stop` becomes true meanwhile.
  std::vector<DeviceStages> take(const std::atomic<bool>* stop);
  /// Gives back those that still work.
  void give_back(std::vector<DeviceStages> those);

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<DeviceStages> devices;
  bool taken = false;
};

/// Not thread-safe, but for ready().
class DeviceUse {
 public:
  using Opener = std::function<OpenedGpu(unsigned threads)>;

  /// Begins to open options.devices, in other threads. `options` must outlive this; `warn` is called from any
  /// thread. `open_gpu`: for options.gpu_for_much_work.
  DeviceUse(const SearchOptions& options, Warning warn, Opener open_gpu = open_first_gpu);
  /// Gives options.opened back.
  ~DeviceUse();
  DeviceUse(const DeviceUse&) = delete;
  DeviceUse& operator=(const DeviceUse&) = delete;

  /// Begins a pass of the batch if there is a device left that can compare it with the profiles. With
  /// options.gpu_for_much_work the first large batch behind which there is `more` begins to open a GPU, in
  /// another thread; the host compares batches until that is ready. Throws DeviceError if a device of
  /// options.devices could not be opened.
  void begin(std::optional<StageDevices::Pass>& pass, const SequenceBatch& batch,
             std::vector<const SearchProfile*> profiles, bool more);

  /// Whether devices are used from now on. Any thread may call.
  bool ready() const { return ready_; }

  /// Whether devices can run the stages behind SSV for the batch of this pass.
  bool has_stages(const std::optional<StageDevices::Pass>& pass) const;
  /// The devices for those stages; null: none. They live as long as this.
  StageDevices* for_stages(const std::optional<StageDevices::Pass>& pass);

  /// Adds the devices' names and times; not to be called during a pass.
  void describe(SearchStatistics& statistics) const;

 private:
  bool is_much_work(const SequenceBatch& batch, const std::vector<const SearchProfile*>& profiles, bool more);
  void begin_opening(const SequenceBatch& batch, const std::vector<const SearchProfile*>& profiles,
                     bool more);

  const SearchOptions& options_;
  Warning warn_;
  Opener open_gpu_;
  bool looked_for_gpu_ = false;
  std::atomic<bool> ready_;
  std::future<std::vector<DeviceStages>> opening_;
  std::future<OpenedGpu> opening_gpu_;
  std::optional<StageDevices> devices_;
};

}  // namespace gpuhmm::hmmer3
