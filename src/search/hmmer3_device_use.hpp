// The devices that a search or a scan with HMMER3 profiles uses: opened while it reads its input, or while
// the host begins.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
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

/// How devices share the work: all of them share each batch; or, if all are alike, each has batches of its
/// own, as half of a batch takes a device more than half of the time.
enum class DeviceTeams : bool { One, Each };

/// How devices are opened.
struct DeviceOpeners {
  std::function<OpenedGpu(unsigned threads)> gpu = open_first_gpu;  ///< for options.gpu_for_much_work
  std::function<std::vector<DeviceStages>(const std::vector<DeviceInfo>& devices, unsigned threads)> named =
      open_device_stages;
};

/// The devices of a run, in teams: those of a team share a batch.
class DeviceUse {
 public:
  /// Begins to open options.devices, in other threads: those of several teams each by itself, so that a team
  /// works while others are being opened. `options` must outlive this; `warn` is called from any thread, and
  /// so is `joined`, behind each team.
  DeviceUse(const SearchOptions& options, DeviceTeams teams, Warning warn, DeviceOpeners openers = {},
            std::function<void()> joined = {});
  /// Gives options.opened back.
  ~DeviceUse();
  DeviceUse(const DeviceUse&) = delete;
  DeviceUse& operator=(const DeviceUse&) = delete;

  /// Waits for the devices of one team, to be called for each batch in front of begin(), by one thread. With
  /// options.gpu_for_much_work the first large batch behind which there is `more` begins to open a GPU, in
  /// another thread; the host compares batches until that is ready, but none that would take it longer.
  /// Throws DeviceError if a device of options.devices could not be opened, as far as that is known.
  void prepare(const SequenceBatch& batch, const std::vector<const SearchProfile*>& profiles, bool more);
  /// Waits for the devices of all teams. Throws DeviceError if one could not be opened.
  void finish_opening();
  /// How many teams compare batches from now on, as far as is known before the devices are there; 0: the host
  /// does. Any thread may call.
  std::size_t teams() const { return ready_ ? team_count_.load() : 0; }
  /// Whether a team has a device left; any thread may call.
  bool works(std::size_t team) const {
    return team < teams_.size() && teams_[team].open && teams_[team].devices->any();
  }
  /// Begins a pass of the batch if the team has a device left that can compare it with the profiles. Any
  /// thread may call, one at a time for each team.
  void begin(std::optional<StageDevices::Pass>& pass, std::size_t team, const SequenceBatch& batch,
             std::vector<const SearchProfile*> profiles);

  /// The devices that can run the stages behind SSV for the batch of this pass; null: none. They live as long
  /// as this.
  static StageDevices* for_stages(const std::optional<StageDevices::Pass>& pass);

  /// Adds the devices' names and times; not to be called during a pass.
  void describe(SearchStatistics& statistics) const;

 private:
  struct Team {
    void open_with(std::unique_ptr<StageDevices> own) {
      devices = std::move(own);
      open = true;
    }

    std::unique_ptr<StageDevices> devices;
    std::atomic<bool> open = false;  // there are devices, which may have failed
  };

  unsigned threads_each(std::size_t teams) const;
  std::unique_ptr<StageDevices> team_of(std::vector<DeviceStages>&& devices, std::size_t teams);
  void add(std::vector<DeviceStages>&& devices);
  void open_team(std::size_t team);
  bool is_much_work(const SequenceBatch& batch, const std::vector<const SearchProfile*>& profiles, bool more);
  void begin_opening(const SequenceBatch& batch, const std::vector<const SearchProfile*>& profiles,
                     bool more);

  const SearchOptions& options_;
  const DeviceTeams how_;
  Warning warn_;
  DeviceOpeners openers_;
  bool looked_for_gpu_ = false;
  std::atomic<bool> ready_;
  std::future<std::vector<DeviceStages>> opening_;
  std::future<OpenedGpu> opening_gpu_;
  std::deque<Team> teams_;
  std::atomic<std::size_t> team_count_ = 1;

  // Teams that are opened each by itself.
  std::function<void()> joined_;
  std::mutex joining_mutex_;  // of failure_
  std::condition_variable has_joined_;
  std::exception_ptr failure_;
  std::vector<std::future<void>> joining_;
};

}  // namespace gpuhmm::hmmer3
